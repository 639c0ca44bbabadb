#pragma once

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hypotheses/neighbours.h"
#include "hypotheses/scheduler/topology.h"
#include "hypotheses/simulated_oracle.h"
#include "hypotheses/simulator.h"
#include "probes/fact.h"
#include "solver/cancellation/task.h"
#include "solver/infer/inference.h"
#include "solver/space/version_space.h"
#include "tests/samples.h"

namespace cuvier {

/// A small device of round numbers, with a GPC map: two GPCs of different size.
inline Device small_device(int sms) {
  Device device;
  device.name = fmt::format("{} SMs", sms);
  device.architecture = "sm_86";
  device.sms = sms;
  device.max_blocks_per_sm = 16;
  device.max_warps_per_sm = 48;
  device.shared_configs = {8192, 16384, 32768, 65536, 102400};
  device.max_shared_per_block = 101376;
  for (int sm = 0; sm < sms; ++sm) device.gpc_of_sm.push_back(sm / 2 % 3 == 1 ? 1 : 0);
  return device;
}

/// The same, where clusters can be launched.
inline Device with_clusters(Device device) {
  device.architecture = "sm_90";
  device.max_cluster = 4;
  return device;
}
inline Device clustered_device(int sms) { return with_clusters(small_device(sms)); }

/// 12 SMs, with two GPCs of one TPC.
inline Device with_lone_tpcs() {
  Device device = small_device(12);
  device.gpc_of_sm = {0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3};
  return device;
}

/// What the simulator shows of a probe without any channel: the SM of each block.
inline std::vector<Fact> placements(Simulator& simulator, const Probe& probe) {
  std::vector<Fact> facts = facts_of(simulator.run(probe), probe);
  std::erase_if(facts, [](const Fact& fact) { return fact.kind != Fact::Kind::sm; });
  return facts;
}

/// Any hypothesis of one outcome that the device's facts permit, each value as likely as its
/// siblings.
inline Hypothesis random_hypothesis(const Device& device, Rng& rng) {
  Hypothesis hypothesis;
  const Assumptions all = Assumptions::all(device);
  for (int axis = 0; axis < kAxes; ++axis) {
    // Of last resorts it may be a learned order; who tests the others plants them.
    const bool of_orders = axis == index_of<TieBreak>();
    const std::uint32_t others =
        last_resorts(axis) & ~(of_orders ? one_of(TieBreak::learned) : std::uint32_t{0});
    if (std::has_single_bit(all.allowed[axis] & ~others)) continue;  // the first
    int last = named_values(axis) - 1;
    while (of_lone_tpcs(axis_value(axis, last).needs)) --last;
    do {
      hypothesis.values[axis] = static_cast<std::uint8_t>(uniform(rng, 0, last));
    } while ((others >> hypothesis.values[axis] & 1) != 0 ||
             !available(device, axis, hypothesis.values[axis]));
  }
  learn_any_order(device, hypothesis, rng);
  return hypothesis;
}

/// With some of what an H100 does with shared memory: last resorts.
inline Hypothesis with_hopper_memory(Hypothesis hypothesis, Rng& rng) {
  const auto set = [&](auto value_of, auto value) {
    if (uniform(rng, 0, 2) > 0) hypothesis.set<decltype(value_of)>(value);
  };
  set(ConfigChange{}, ConfigChange::when_idle_before);
  set(ConfigTarget{}, ConfigTarget::twice_the_blocks);
  set(SharedPlacement{}, SharedPlacement::ring);
  return hypothesis;
}

/// Likewise with clusters.
inline Hypothesis with_hopper_clusters(Hypothesis hypothesis, Rng& rng) {
  if (uniform(rng, 0, 2) > 0) hypothesis.set<ClusterLimit>(ClusterLimit::eight);
  if (uniform(rng, 0, 2) > 0) hypothesis.set<ClusterGpc>(ClusterGpc::pass_by_pass);
  if (uniform(rng, 0, 2) > 0) hypothesis.set<ClusterWait>(ClusterWait::passed_on_lone_tpcs);
  return hypothesis;
}

/// With some of all that an H100 does and other GPUs do not.
inline Hypothesis with_hopper_values(Hypothesis hypothesis, Rng& rng) {
  hypothesis = with_hopper_memory(std::move(hypothesis), rng);
  if (uniform(rng, 0, 2) > 0) hypothesis.set<TieBreak>(TieBreak::lone_tpcs_first);
  if (uniform(rng, 0, 2) > 0) hypothesis.set<Numbering>(Numbering::by_gpc);
  return with_hopper_clusters(std::move(hypothesis), rng);
}

/// A probe of any family.
inline Probe random_probe(const Device& device, Rng& rng) {
  const auto families = probe_families(device);
  return families[uniform(rng, 0, static_cast<int>(families.size()) - 1)].draw(device, rng);
}

/// Whether it predicts all of that.
inline bool explains(const Device& device, const Hypothesis& hypothesis,
                     const std::vector<Recording>& recordings) {
  Simulator simulator(device, hypothesis);
  return std::ranges::all_of(recordings, [&](const Recording& recording) {
    const Observation predicted = simulator.replay(recording);
    return std::ranges::all_of(recording.facts, [&](const Fact& fact) {
      return agrees(fact, predicted, recording.probe);
    });
  });
}

/// Each axis takes either's value: all that lies between two hypotheses.
inline Assumptions between(const Hypothesis& a, const Hypothesis& b) {
  Assumptions assumptions{};
  for (int axis = 0; axis < kAxes; ++axis) {
    assumptions.allowed[axis] = 1u << a.values[axis] | 1u << b.values[axis];
  }
  return assumptions;
}

/// `a`, with some of b's values.
inline Hypothesis mix(Hypothesis a, const Hypothesis& b, int percent_of_b, Rng& rng) {
  for (int axis = 0; axis < kAxes; ++axis) {
    if (uniform(rng, 0, 99) < percent_of_b) a.values[axis] = b.values[axis];
  }
  return a;
}

/// Any with a named order.
inline Hypothesis random_named(const Device& device, Rng& rng) {
  Hypothesis hypothesis = random_hypothesis(device, rng);
  while (hypothesis.get<TieBreak>() == TieBreak::learned) {
    hypothesis = random_hypothesis(device, rng);
  }
  return hypothesis;
}

/// A probe that launches grids of so many blocks, one after the other.
inline Probe grids(const std::vector<int>& blocks, int threads = 32) {
  Probe probe{"grids", {}, {}};
  for (const int count : blocks) {
    const int k = static_cast<int>(probe.kernels.size());
    probe.kernels.push_back({fmt::format("k{}", k), count, threads, 32, 0, 0, 0, {}});
    probe.script.push_back({k, {}});
  }
  return probe;
}

/// Random probes, each in a session of its own.
inline RecordingSet recordings_of(Oracle& oracle, int count, Rng& rng) {
  RecordingSet set{"test", oracle.device(), {}};
  for (int i = 0; i < count; ++i) {
    Probe probe = random_probe(oracle.device(), rng);
    probe.name = fmt::format("r{}", i);
    oracle.begin_session();
    set.recordings.push_back(
        {probe, oracle.run(probe, 1).front().facts, true, fmt::format("test:{}", i)});
  }
  return set;
}

/// For a message: the recordings, a line each.
inline std::string words(const std::vector<Recording>& recordings) {
  std::string text;
  for (const Recording& r : recordings) text += to_json(r).dump() + "\n";
  return text;
}

/// What of an observation every oracle shows: the SM of each block.
inline Observation without_channels(Observation observation) {
  return seen_through({}, std::move(observation));
}

/// The number of the first probe for which the two place a block differently, of `probes`
/// random ones in sessions of some length; -1 if there is none.
inline int first_difference(const Device& device, const Hypothesis& a, const Hypothesis& b,
                            int probes, Rng& rng) {
  constexpr int session = 10;
  std::optional<Simulator> one;
  std::optional<Simulator> other;
  for (int i = 0; i < probes; ++i) {
    if (i % session == 0) {
      one.emplace(device, a);
      other.emplace(device, b);
    }
    const Probe probe = random_probe(device, rng);
    if (without_channels(one->run(probe)) != without_channels(other->run(probe))) return i;
  }
  return -1;
}

/// How the inference of a planted mechanism went.
struct Recovery {
  Finding finding;
  bool kept = false;                   ///< the planted mechanism is a survivor
  std::vector<std::string> lost_axes;  ///< where the planted value is not among the survivors
  double cpu_seconds = 0;              ///< of the inference, its solvers' included
  double longest_step = 0;             ///< from one answer to the next, by the clock
  double dearest_step = 0;             ///< likewise, of CPU
  int survivors_tried = 0;
  std::vector<Hypothesis> disagreeing;  ///< survivors that predict a fresh random probe differently

  bool good() const {
    return kept && lost_axes.empty() && disagreeing.empty() &&
           (finding.verdict == Verdict::identified || finding.verdict == Verdict::ambiguous);
  }
};

/// In words, for a message or a table: "ambiguous, 9 probes, 3 left, 1.2 s".
inline std::string describe(const Recovery& recovery) {
  const Finding& finding = recovery.finding;
  std::string text = fmt::format("{}, {} probes, {:.15g} left, {:.1f} s", name_of(finding.verdict),
                                 finding.probes, finding.count.remaining, finding.seconds);
  if (!recovery.kept) text += "; the planted mechanism was pruned";
  for (const std::string& axis : recovery.lost_axes) text += "; lost " + axis;
  for (const Hypothesis& other : recovery.disagreeing) {
    text += "; left, and different: " + describe(other);
  }
  return text;
}

/// Of this process and of the solvers that it ran.
inline double cpu_seconds() {
  double seconds = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(whose, &usage);
    for (const timeval& t : {usage.ru_utime, usage.ru_stime}) {
      seconds += static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    }
  }
  return seconds;
}

/// Plants the mechanism in a simulated device, infers it from as many probes as an inference asks
/// or so many, and compares up to eight survivors with it on fresh random probes.
inline Recovery recover(const Device& device, const Hypothesis& planted, std::uint64_t seed,
                        int fresh_probes, int max_probes = InferenceOptions{}.max_probes) {
  const samples::Folder folder;
  Recovery recovery;
  SimulatedOracle oracle("planted", device, planted);
  {
    Journal journal(folder.path("journal"), device, "planted");
    InferenceOptions options;
    options.seed = seed;
    options.max_probes = max_probes;
    const double start = cpu_seconds();
    double latest = start;
    auto latest_time = std::chrono::steady_clock::now();
    const auto step_ended = [&] {
      const double now = cpu_seconds();
      recovery.dearest_step = std::max(recovery.dearest_step, now - std::exchange(latest, now));
      const auto time = std::chrono::steady_clock::now();
      const std::chrono::duration<double> step = time - std::exchange(latest_time, time);
      recovery.longest_step = std::max(recovery.longest_step, step.count());
    };
    InferenceListener listener;
    listener.step = [&](const InferenceStep&) { step_ended(); };
    recovery.finding = infer(oracle, journal, Assumptions::all(device), options, listener);
    step_ended();
    recovery.cpu_seconds = latest - start;
  }
  VersionSpace space(device, Assumptions::all(device));
  for (const Recording& recording :
       read_recordings(folder.path("journal/journal.jsonl")).recordings) {
    try {
      space.observe(recording);
    } catch (const GaveUp&) {  // set aside by the inference as well: a session ends here
    }
  }
  // A named order may stand for a learned one, if nothing tells them apart.
  const bool learned = planted.get<TieBreak>() == TieBreak::learned;
  recovery.kept = learned ? !space.empty() : space.contains(planted);
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!matters(axis, planted) || (learned && axis == index_of<TieBreak>())) continue;
    const auto& values = recovery.finding.surviving[axis];
    if (std::ranges::find(values, planted.values[axis]) == values.end()) {
      recovery.lost_axes.emplace_back(axis_info(axis).name);
    }
  }
  Rng rng(seed + 1);
  for (const Hypothesis& survivor : space.draw(8, rng)) {
    ++recovery.survivors_tried;
    if (first_difference(device, planted, survivor, fresh_probes, rng) >= 0) {
      recovery.disagreeing.push_back(survivor);
    }
  }
  return recovery;
}

}  // namespace cuvier
