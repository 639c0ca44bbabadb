#include "uses/kit/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "corpus/imports/csv.h"
#include "solver/check/check.h"

namespace cuvier {
namespace {

const Recording* find(const RecordingSet& set, const std::string& name) {
  const auto found = std::ranges::find(set.recordings, name, &Recording::name);
  return found == set.recordings.end() ? nullptr : &*found;
}

/// Of facts of full observations, that of the same step and kernel: where blocks went, or that none
/// did.
const Fact* same_moment(const std::vector<Fact>& facts, const Fact& fact) {
  const auto found = std::ranges::find_if(facts, [&](const Fact& other) {
    const bool tells = other.kind == Fact::Kind::sm || other.kind == Fact::Kind::started;
    return tells && other.step == fact.step && other.kernel == fact.kernel;
  });
  return found == facts.end() ? nullptr : &*found;
}

/// Whether a full observation's facts agree with what is known of the GPU.
bool agree(const Fact& gpu, const Fact* simulator, const Kernel& kernel) {
  const bool is_asked = gpu.kind != Fact::Kind::warp_slot && gpu.kind != Fact::Kind::shared_config;
  if (!is_asked) return true;  // a simulator need not have these
  const bool starts = simulator && simulator->kind == Fact::Kind::sm;
  return gpu.values == values_of(gpu.kind, starts ? simulator->values : std::vector<int>(), kernel);
}

/// As far as placements tell.
Recording without_channels(Recording recording) {
  std::erase_if(recording.facts, [](const Fact& fact) {
    return fact.kind == Fact::Kind::warp_slot || fact.kind == Fact::Kind::shared_config;
  });
  return recording;
}

std::vector<Missed> missed_of(const RecordingSet& golden, const RecordingSet& simulator) {
  std::vector<Missed> missed;
  for (const Recording& recording : golden.recordings) {
    const Recording* const answer = find(simulator, recording.name());
    if (!answer) continue;
    Missed miss{recording.name(), {}, {}, 0};
    for (const Fact& fact : recording.facts) {
      if (fact.step >= std::ssize(answer->probe.script)) continue;  // beyond its exact steps
      const Fact* const its = same_moment(answer->facts, fact);
      if (agree(fact, its, recording.probe.kernels[fact.kernel])) continue;
      if (miss.facts++ > 0) continue;
      miss.gpu = describe(fact, recording.probe);
      if (its) miss.simulator = describe(*its, recording.probe);
    }
    if (miss.facts > 0) missed.push_back(std::move(miss));
  }
  return missed;
}

std::vector<OtherAnswer> other_answers(const SurvivingValues& gpu, const Finding& simulator) {
  std::vector<OtherAnswer> others;
  if (!simulator.mechanism) return others;
  for (int axis = 0; axis < kAxes; ++axis) {
    const auto& its = simulator.surviving[axis];
    const bool shared = std::ranges::any_of(
        its, [&](int value) { return std::ranges::find(gpu[axis], value) != gpu[axis].end(); });
    if (!shared && !its.empty() && !gpu[axis].empty()) others.push_back({axis, gpu[axis], its});
  }
  return others;
}

/// Where blocks went, by probe, step, kernel and block.
using Log = std::map<std::string, std::map<int, std::map<int, std::map<int, int>>>>;

Log read_lines(const RecordingSet& golden, const std::string& path) {
  Csv table(path);
  const auto probe = table.find({"probe"});
  const auto step = table.find({"step"});
  const auto kernel = table.find({"kernel"});
  const auto block = table.find({"block"});
  const auto sm = table.find({"sm"});
  if (!probe || !kernel || !block || !sm) {
    table.fail("the first line must name the columns: probe, step, kernel, block and sm");
  }
  Log log;
  while (table.next()) {
    const Recording* const asked = find(golden, table.text(*probe));
    if (!asked) table.fail(fmt::format("the kit has no probe {}", table.text(*probe)));
    const auto k = asked->probe.find(table.text(*kernel));
    if (!k)
      table.fail(fmt::format("probe {} has no kernel {}", asked->name(), table.text(*kernel)));
    const int steps = static_cast<int>(asked->probe.script.size());
    const int at = step ? table.number(*step, 0, steps - 1) : asked->probe.launch_of(*k);
    const int number = table.number(*block, 0, asked->probe.kernels[*k].blocks - 1);
    auto& blocks = log[asked->name()][at][*k];
    if (!blocks.try_emplace(number, table.number(*sm, 0, golden.device.sms - 1)).second) {
      table.fail(fmt::format("block {} of {} starts twice", number, table.text(*kernel)));
    }
  }
  return log;
}

/// A simulator of traces begins a probe and cannot release: where a log has no line from the first
/// release on, it tells nothing of these steps.
int steps_told(const Probe& probe, int last_step) {
  const auto release =
      std::ranges::find_if(probe.script, [](const Action& action) { return !action.launch; });
  const int first = static_cast<int>(release - probe.script.begin());
  return last_step < first ? first : static_cast<int>(probe.script.size());
}

}  // namespace

RecordingSet ask_all(const RecordingSet& golden, Oracle& simulator,
                     std::vector<std::string>& refused, const Task& task) {
  RecordingSet answers{simulator.description(), simulator.device(), {}};
  const bool apart = simulator.begin_session();
  const int probes = static_cast<int>(golden.recordings.size());
  simulator.hold_sessions(probes, [&](Oracle& oracle, int number, const Oracle::Then& then) {
    const Probe& probe = golden.recordings[number].probe;
    task.doing(
        {fmt::format("asking {} of {}: {}", number + 1, probes, probe.name), number, probes});
    try {
      const Answer answer = oracle.run(probe, 1).front();
      then([&, answer, opening = oracle.opening()] {
        const bool fresh = apart || answers.recordings.empty();
        answers.recordings.push_back(without_channels(answer.recording(probe, fresh, opening)));
        answers.recordings.back().where = probe.name;
      });
    } catch (const OracleRefusal&) {
      then([&] { refused.push_back(probe.name); });
    }
  });
  return answers;
}

RecordingSet read_log(const RecordingSet& golden, const std::string& path,
                      std::vector<std::string>& refused) {
  RecordingSet answers{path, golden.device, {}};
  Log log = read_lines(golden, path);
  for (const Recording& recording : golden.recordings) {
    if (!log.contains(recording.name())) {
      refused.push_back(recording.name());
      continue;
    }
    const int told = steps_told(recording.probe, log[recording.name()].rbegin()->first);
    Observation seen;
    for (int step = 0; step < std::ssize(recording.probe.script); ++step) {
      Step& each = seen.steps.emplace_back();
      for (const auto& [kernel, blocks] : log[recording.name()][step]) {
        Started& started = each.started.emplace_back();
        started.kernel = kernel;
        for (const auto& [block, sm] : blocks) {
          started.block.push_back(block);
          started.sm.push_back(sm);
        }
      }
    }
    answers.recordings.push_back(first_steps(
        {recording.probe, facts_of(seen, recording.probe), true, recording.name()}, told));
  }
  return answers;
}

std::optional<CutOff> cut_off(const RecordingSet& golden, const RecordingSet& log) {
  const Recording& last = log.recordings.back();
  for (const Fact& fact : find(golden, last.name())->facts) {
    if (fact.step >= std::ssize(last.probe.script)) continue;
    const Fact* const its = same_moment(last.facts, fact);
    if (agree(fact, its, last.probe.kernels[fact.kernel])) continue;
    const bool starts = its && its->kind == Fact::Kind::sm;
    const std::vector<int> logged = starts ? its->values : std::vector<int>();
    const auto differ = std::ranges::mismatch(fact.values, logged);
    if (fact.kind != Fact::Kind::sm || differ.in2 != logged.end()) return std::nullopt;
    return CutOff{last.name(), static_cast<int>(fact.values.end() - differ.in1)};
  }
  return std::nullopt;
}

Score score(const RecordingSet& golden, const RecordingSet& simulator) {
  Score score;
  score.simulator = simulator.source;
  score.probes = static_cast<int>(simulator.recordings.size());
  score.missed = missed_of(golden, simulator);
  return score;
}

void explain(Score& score, const RecordingSet& simulator, const SurvivingValues& gpu,
             const Task& task) {
  score.behaviour = check({simulator}, Assumptions::all(simulator.device), task);
  score.otherwise = other_answers(gpu, score.behaviour);
}

}  // namespace cuvier
