#pragma once

#include <algorithm>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hypotheses/fast/flat_index.h"
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
  SmsAtRest<typename V::Warps, typename V::Int> rest;  ///< without warp files: all at their start
  Precedences precedences;
};

/// Whether they go on alike from here.
template <class V>
bool same_state(const V& values, const Strand<V>& a, const Strand<V>& b) {
  return a.carry == b.carry && values.same(a.rest.warp_files, b.rest.warp_files) &&
         values.same(a.rest.configs, b.rest.configs) && a.precedences == b.precedences;
}

/// Hypotheses that went one way through a recording so far.
template <class V>
struct Way {
  typename V::Bool set{};
  Precedences precedences;
  Scheduler<Exploration<V>> scheduler;
  int kernels = 0;          ///< of the probe
  std::size_t actions = 0;  ///< of the script, that are behind it

  /// Whether they go on alike from here, as far as that is seen at a glance. Of what is told how it
  /// came about each way stays apart: solvers find the contradiction on one way sooner than on
  /// many.
  bool goes_on_as(const Way& other) const {
    if constexpr (ToldApartAtOnce<typename V::Int> && !TakesNote<V>) {
      return precedences == other.precedences && scheduler.goes_on_as(other.scheduler);
    }
    return false;
  }
  /// The same for all that go on alike.
  std::size_t hash() const {
    std::size_t hash = precedences.hash();
    for (int k = 0; k < kernels; ++k) {
      for (const int sm : scheduler.sm_of_block(k)) hash = hash_combine(hash, sm);
    }
    const Cursors cursors = scheduler.carry().cursors;
    for (const int cursor : cursors.sm) hash = hash_combine(hash, cursor);
    for (const typename V::Warps& warps : scheduler.at_rest().warp_files) {
      if constexpr (requires { warps.ref; }) hash = hash_combine(hash, warps.ref);
    }
    return hash_combine(hash, cursors.group);
  }
};

/// Where hypotheses of one way are once `act` was done. However they came there, those that go on
/// alike are one way again.
template <class V>
std::list<Way<V>> followed(const Way<V>& from, Exploration<V>& exploration, V& values,
                           const Task& task, auto&& act) {
  std::list<Way<V>> ways;
  std::unordered_multimap<std::size_t, Way<V>*> by_hash;
  exploration.begin(from.set, from.precedences);
  while (exploration.next_path()) {
    task.still();
    Way<V>& way = ways.emplace_back(from);
    try {
      act(way);
    } catch (const DeadEnd&) {
      if constexpr (TakesNote<V>) values.contradicted(exploration.alive());
      ways.pop_back();
      continue;
    }
    way.set = exploration.alive();
    way.precedences = exploration.precedences();
    way.scheduler.read_anew();
    const std::size_t hash = way.hash();
    const auto [first, last] = by_hash.equal_range(hash);
    const auto alike =
        std::find_if(first, last, [&](const auto& known) { return known.second->goes_on_as(way); });
    if (alike == last) {
      by_hash.emplace(hash, &way);
    } else {
      alike->second->set = values.either(alike->second->set, way.set);
      ways.pop_back();
    }
  }
  return ways;
}

/// The strands that explain the recording as well, which ran after those before it unless it
/// is fresh; `enough` of them, if that is fewer. Throws GaveUp where that takes more,
/// and Stopped where the task is to end: it is told before each way to explain it.
template <class V>
std::vector<Strand<V>> explain(const Recording& recording, const Device& device, V& values,
                               const std::vector<Strand<V>>& strands, const Effort& most = {},
                               std::size_t enough = kMostStrands + 1, const Task& task = {}) {
  const Probe& probe = recording.probe;
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
  const auto take_action = [&](Way<V>& way) {
    const Action& action = probe.script[way.actions];
    exploration.begin_step(static_cast<int>(way.actions++), static_cast<int>(probe.kernels.size()));
    if (action.launch) {
      way.scheduler.launch(*action.launch);
    } else {
      way.scheduler.release(action.releases);
    }
    exploration.end_step();
  };
  const auto end = [&](Way<V>& way) {
    way.scheduler.drain();
    if (!exploration.precedences().possible()) throw DeadEnd();
  };
  for (const Strand<V>& strand : strands) {
    const auto begin = [&](Way<V>& way) {
      if (!recording.fresh && !strand.rest.warp_files.empty()) {
        way.scheduler.set_idle(strand.carry, strand.rest);
      }
      if (recording.fresh && recording.opening) way.scheduler.adopt(*recording.opening);
      way.scheduler.begin(probe);
      for (const auto& [kernel, bytes] : expectation.shared_configs()) {
        exploration.require_equal(way.scheduler.target_config(kernel), bytes);
      }
    };
    const Way<V> from{strand.set,
                      strand.precedences,
                      {exploration, device},
                      static_cast<int>(probe.kernels.size())};
    std::list<Way<V>> open = followed(from, exploration, values, task, begin);
    while (!open.empty() && next.size() < enough) {
      const Way<V>& way = open.front();
      std::list<Way<V>> on;
      if (way.actions < probe.script.size()) {
        on = followed(way, exploration, values, task, take_action);
      } else {
        for (const Way<V>& to : followed(way, exploration, values, task, end)) {
          Carry carry = to.scheduler.carry();
          if (carry.cursors.at_start()) carry.cursors = {};
          merge({to.set, std::move(carry), to.scheduler.at_rest(), to.precedences});
        }
      }
      open.pop_front();
      open.splice(open.begin(), on);
    }
  }
  return next;
}

}  // namespace cuvier
