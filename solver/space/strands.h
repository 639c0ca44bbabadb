#pragma once

#include <string>
#include <utility>
#include <vector>

#include "probes/initial_observation.h"
#include "solver/cancellation/task.h"
#include "solver/space/exploration.h"

namespace cuvier {

// Beyond what a recording with known SMs leaves; each is gone on from on its own.
constexpr std::size_t kMostStrands = 4'000;

/// Hypotheses that explain everything so far and are in the same state: what outlives a
/// probe differs from strand to strand. V says what a set of hypotheses is.
template <class V>
struct Strand {
  typename V::Bool set{};
  Carry carry;
  std::vector<typename V::Warps> warp_files;  ///< by SM; empty: all at their start
  Precedences precedences;
};

/// Whether they go on alike from here.
template <class V>
bool same_state(const V& values, const Strand<V>& a, const Strand<V>& b) {
  return a.carry == b.carry && values.same(a.warp_files, b.warp_files) &&
         a.precedences == b.precedences;
}

/// One path of the scheduler through a recording.
template <class V>
Strand<V> follow_recording(Exploration<V>& exploration, const Device& device, const Strand<V>& from,
                           const Recording& recording, const Expectation& expectation) {
  const Probe& probe = recording.probe;
  Scheduler<Exploration<V>> scheduler(exploration, device);
  if (!from.warp_files.empty()) scheduler.set_idle(from.carry, from.warp_files);
  if (recording.fresh && recording.opening) scheduler.adopt(*recording.opening);
  scheduler.begin(probe);
  for (const auto& [kernel, bytes] : expectation.shared_configs()) {
    exploration.require_equal(scheduler.preferred_config(kernel), bytes);
  }
  for (int step = 0; step < static_cast<int>(probe.script.size()); ++step) {
    const Action& action = probe.script[step];
    exploration.begin_step(step, static_cast<int>(probe.kernels.size()));
    if (action.launch) {
      scheduler.launch(*action.launch);
    } else {
      scheduler.release(action.releases);
    }
    exploration.end_step();
  }
  scheduler.drain();
  if (!exploration.precedences().possible()) throw DeadEnd();
  Strand<V> to{exploration.alive(), scheduler.carry(), scheduler.warp_files(),
               exploration.precedences()};
  if (to.carry.cursors.at_start()) to.carry.cursors = {};
  return to;
}

/// The strands that explain the recording as well, which ran after those before it unless it
/// is fresh; `enough` of them, if that is fewer. Throws GaveUp where that takes more,
/// and Stopped where the task is to end: it is told before each way to explain it.
template <class V>
std::vector<Strand<V>> explain(const Recording& recording, const Device& device, V& values,
                               const std::vector<Strand<V>>& strands, const Effort& most = {},
                               std::size_t enough = kMostStrands + 1, const Task& task = {}) {
  const Expectation expectation(recording, device.sms);
  Exploration<V> exploration(device, values, expectation, most);
  std::vector<Strand<V>> next;
  const auto merge = [&](Strand<V> strand) {
    for (Strand<V>& other : next) {
      if (same_state(values, other, strand)) {
        other.set = values.either(other.set, strand.set);
        return;
      }
    }
    if (next.size() == kMostStrands) {
      throw GaveUp("more than " + std::to_string(kMostStrands) +
                   " states in which one recording may end: it tells too little of where "
                   "blocks went");
    }
    next.push_back(std::move(strand));
  };
  for (const Strand<V>& strand : strands) {
    const Strand<V> from =
        recording.fresh ? Strand<V>{strand.set, {}, {}, strand.precedences} : strand;
    exploration.begin(from.set, from.precedences);
    while (next.size() < enough && exploration.next_path()) {
      task.still();
      try {
        merge(follow_recording(exploration, device, from, recording, expectation));
      } catch (const DeadEnd&) {
        if constexpr (TakesNote<V>) values.contradicted(exploration.alive());
      }
    }
  }
  return next;
}

}  // namespace cuvier
