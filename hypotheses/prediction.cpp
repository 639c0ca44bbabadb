#include "hypotheses/prediction.h"

#include <utility>

namespace cuvier {
namespace {

// Picks of a kernel that count the blocks left late; recordings show one.
constexpr int kMostLate = 16;

}  // namespace

Moment Prediction::moment_at(int kernel, int sm, int before, int in_flight) const {
  const auto started = started_.find(kernel);
  const bool any = started != started_.end();
  const int count = any ? static_cast<int>(started->second.sm.size()) : 0;
  return {step_, kernel, sm, count + before, in_flight};
}

void Prediction::placed(int kernel, int block, int sm, const Warps& warps) {
  Started& started = started_[kernel];
  started.kernel = kernel;
  started.block.push_back(block);
  started.sm.push_back(sm);
  started.warp_slot.push_back(state(warps).last_route);
}

Step Prediction::take_step() {
  Step step;
  for (auto& [kernel, started] : started_) step.started.push_back(std::move(started));
  started_.clear();
  return step;
}

Simulator::Simulator(const Device& device, const Hypothesis& hypothesis)
    : device_(device),
      hypothesis_(hypothesis),
      prediction_(device_, hypothesis_),
      scheduler_(prediction_, device_) {}

Simulator::Simulator(const Simulator& other) : Simulator(other.device_, other.hypothesis_) {
  std::vector<Prediction::Warps> files = other.scheduler_.warp_files();
  for (Prediction::Warps& file : files) file = prediction_.taken_over(other.prediction_, file);
  scheduler_.set_idle(other.scheduler_.carry(), files);
}

void Simulator::begin_session(const Opening* opening) {
  scheduler_.set_idle({},
                      std::vector(static_cast<std::size_t>(device_.sms), prediction_.idle_warps()));
  if (opening) scheduler_.adopt(*opening);
}

Observation Simulator::replay(const Recording& recording) {
  if (recording.fresh) begin_session(recording.opening.get());
  if (!leaves_open(hypothesis_)) return run(recording.probe);
  SeenMoments moments = moments_nearest(recording.probe, recording.facts);
  return run(recording.probe, moments);
}

Observation Simulator::nearest(const Probe& probe, const std::vector<Fact>& facts) {
  if (!leaves_open(hypothesis_)) return preview(probe);
  SeenMoments moments = moments_nearest(probe, facts);
  return preview(probe, moments);
}

SeenMoments Simulator::moments_nearest(const Probe& probe, const std::vector<Fact>& facts) {
  SeenMoments seen(facts);
  const auto count_wrong = [&] {
    seen.again();
    const Observation outcome = preview(probe, seen);
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

Observation Simulator::run(const Probe& probe) {
  Moments nothing;
  return run(probe, nothing);
}

Observation Simulator::run(const Probe& probe, Moments& moments) {
  drop_states();
  Observation observation = begin(probe, moments);
  scheduler_.drain();
  return observation;
}

Observation Simulator::preview(const Probe& probe) {
  Moments nothing;
  return preview(probe, nothing);
}

Observation Simulator::preview(const Probe& probe, Moments& moments) {
  drop_states();
  const Carry carry = scheduler_.carry();
  const auto warp_files = scheduler_.warp_files();
  Observation observation = begin(probe, moments);
  scheduler_.set_idle(carry, warp_files);
  return observation;
}

Observation Simulator::begin(const Probe& probe, Moments& moments) {
  Observation observation;
  scheduler_.begin(probe);
  for (const Action& action : probe.script) {
    prediction_.begin_step(static_cast<int>(observation.steps.size()), moments);
    if (action.launch) {
      scheduler_.launch(*action.launch);
    } else {
      scheduler_.release(action.releases);
    }
    observation.steps.push_back(prediction_.take_step());
    if (action.launch) {
      observation.steps.back().shared_config[*action.launch] =
          scheduler_.preferred_config(*action.launch);
    }
  }
  return observation;
}

void Simulator::drop_states() {
  scheduler_.set_idle(scheduler_.carry(), prediction_.renew(scheduler_.warp_files()));
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
