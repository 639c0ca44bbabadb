#include "hypotheses/simulator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "hypotheses/readings/prediction.h"
#include "hypotheses/scheduler/scheduler.h"

namespace cuvier {
namespace {

// Picks of a kernel that count the blocks left late; recordings show one.
constexpr int kMostLate = 16;

/// In which they differ, a bit each.
std::uint64_t axes_apart(const Hypothesis& a, const Hypothesis& b) {
  std::uint64_t apart = 0;
  for (int axis = 0; axis < kAxes; ++axis) {
    const bool differs =
        a.values[axis] != b.values[axis] || (axis == index_of<TieBreak>() && a.order != b.order);
    apart |= std::uint64_t{differs} << axis;
  }
  return apart;
}

}  // namespace

struct Simulator::State {
  State(const Device& device, const Hypothesis& hypothesis, std::optional<OtherRules> other_rules)
      : device(device),
        hypothesis(hypothesis),
        other_rules(std::move(other_rules)),
        prediction(this->device, this->hypothesis, this->other_rules),
        scheduler(prediction, this->device) {}

  Device device;
  Hypothesis hypothesis;
  std::optional<OtherRules> other_rules;
  Prediction prediction;
  Scheduler<Prediction> scheduler;
  std::uint64_t axes_read = 0;
};

Simulator::Simulator(const Device& device, const Hypothesis& hypothesis,
                     std::optional<OtherRules> other_rules)
    : state_(std::make_unique<State>(device, hypothesis, std::move(other_rules))) {}

Simulator::Simulator(const Simulator& other)
    : Simulator(other.device(), other.hypothesis(), other.state_->other_rules) {
  auto rest = other.state_->scheduler.at_rest();
  for (Prediction::Warps& file : rest.warp_files) {
    file = state_->prediction.taken_over(other.state_->prediction, file);
  }
  state_->scheduler.set_idle(other.state_->scheduler.carry(), rest);
}

Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

const Device& Simulator::device() const { return state_->device; }
const Hypothesis& Simulator::hypothesis() const { return state_->hypothesis; }

void Simulator::begin_session(const InitialObservation* opening) {
  state_->scheduler.set_idle(
      {}, {std::vector(static_cast<std::size_t>(device().sms), state_->prediction.idle_warps())});
  if (opening) state_->scheduler.adopt(*opening);
}

Observation Simulator::replay(const Recording& recording) {
  if (recording.fresh) begin_session(recording.opening.get());
  if (!leaves_open(hypothesis())) return run(recording.probe);
  SeenChoices choices = choices_nearest(recording.probe, recording.facts);
  return run(recording.probe, &choices);
}

Observation Simulator::nearest(const Probe& probe, const std::vector<Fact>& facts) {
  if (!leaves_open(hypothesis())) return preview(probe);
  SeenChoices choices = choices_nearest(probe, facts);
  return preview(probe, &choices);
}

SeenChoices Simulator::choices_nearest(const Probe& probe, const std::vector<Fact>& facts) {
  SeenChoices seen(facts);
  const auto count_wrong = [&] {
    seen.again();
    const Observation outcome = preview(probe, &seen);
    return std::ranges::count_if(facts,
                                 [&](const Fact& fact) { return !agrees(fact, outcome, probe); });
  };
  auto fewest = count_wrong();
  const std::map<int, int> asked = seen.asked();
  for (const auto& [kernel, times] : asked) {
    int best = 0;
    for (int late = 1; fewest > 0 && late <= kMostLate; ++late) {
      seen.let_count_late(kernel, late);
      const auto wrong = count_wrong();
      if (wrong >= fewest) continue;
      fewest = wrong;
      best = late;
    }
    seen.let_count_late(kernel, best);
  }
  seen.again();
  return seen;
}

Observation Simulator::run(const Probe& probe, Choices* choices) {
  drop_states();
  Observation observation = begin(probe, choices, {});
  state_->scheduler.drain();
  state_->axes_read |= state_->prediction.take_read();
  return observation;
}

Observation Simulator::preview(const Probe& probe, Choices* choices, const IsEnough& is_enough) {
  drop_states();
  const Carry carry = state_->scheduler.carry();
  const auto rest = state_->scheduler.at_rest();
  Observation observation = begin(probe, choices, is_enough);
  state_->scheduler.set_idle(carry, rest);
  return observation;
}

Observation Simulator::begin(const Probe& probe, Choices* choices, const IsEnough& is_enough) {
  Observation observation;
  observation.steps.reserve(probe.script.size());
  state_->prediction.take_read();
  state_->scheduler.begin(probe);
  for (const Action& action : probe.script) {
    state_->prediction.begin_step(static_cast<int>(observation.steps.size()), choices);
    if (action.launch) {
      state_->scheduler.launch(*action.launch);
    } else {
      state_->scheduler.release(action.releases);
    }
    observation.steps.push_back(state_->prediction.take_step());
    if (action.launch) {
      observation.steps.back().shared_config[*action.launch] =
          state_->scheduler.target_config(*action.launch);
    }
    if (is_enough && is_enough(observation)) break;
  }
  state_->axes_read = state_->prediction.take_read();
  return observation;
}

bool Simulator::is_as_under(const Hypothesis& other) const {
  constexpr std::uint64_t of_sms = bits(WarpFileAxes{}) | bits(SharedMemoryAxes{});
  const std::uint64_t apart = axes_apart(hypothesis(), other) & state_->axes_read;
  bool same = (apart & ~of_sms) == 0;
  if (same && apart != 0) {
    state_->prediction.for_each_made_otherwise(apart, other, [&](const auto&) { same = false; });
  }
  return same;
}

std::vector<bool> Simulator::judged_otherwise(const Probe& latest, const Hypothesis& other) const {
  std::vector<bool> judged(latest.kernels.size());
  const auto judge = [&]<class Rule>(const Rule& rule) {
    if constexpr (std::is_base_of_v<OnKernel, Rule>) {
      for (std::size_t k = 0; k < judged.size(); ++k) {
        bool is_of = rule.asks_like(latest.kernels[k]);
        if constexpr (requires { rule.priority; }) {
          is_of = is_of && rule.priority == latest.kernels[k].priority;
        }
        judged[k] = judged[k] || is_of;
      }
    }
  };
  state_->prediction.for_each_made_otherwise(axes_apart(hypothesis(), other), other, judge);
  return judged;
}

bool Simulator::is_where(const Simulator& other) const {
  const State& there = *other.state_;
  const auto [files, configs] = state_->scheduler.at_rest();
  const auto [files_there, configs_there] = there.scheduler.at_rest();
  return state_->scheduler.carry() == there.scheduler.carry() && configs == configs_there &&
         std::ranges::equal(files, files_there, [&](const auto& file, const auto& others) {
           return state_->prediction.is_equal(file, there.prediction, others);
         });
}

void Simulator::drop_states() {
  if (!state_->prediction.has_many_states()) return;
  auto rest = state_->scheduler.at_rest();
  rest.warp_files = state_->prediction.renew(std::move(rest.warp_files));
  state_->scheduler.set_idle(state_->scheduler.carry(), rest);
}

Observation predict(const Device& device, const Hypothesis& hypothesis, const Probe& probe) {
  return Simulator(device, hypothesis).run(probe);
}

void replay_session(const std::vector<Recording>& recordings, Simulator& simulator) {
  const auto fresh =
      std::ranges::find_if(recordings.rbegin(), recordings.rend(), &Recording::fresh);
  auto recording = fresh == recordings.rend() ? recordings.begin() : fresh.base() - 1;
  for (; recording != recordings.end(); ++recording) simulator.replay(*recording);
}

}  // namespace cuvier
