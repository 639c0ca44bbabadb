#pragma once

// What rules answer in one recording under each combination of the values of the axes that they
// rest on: a table over a few axes, whatever the others are.

#include <array>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "verify/sm_rules.h"

namespace cuvier::verify {

/// The axes fall into parts that are asked by themselves. These are of several axes; each other
/// axis is a part of its own.
enum Part { warps, shared_memory, batches };
constexpr int parts = 20;
const std::vector<int>& axes_of(int part);
/// That of an axis; the first of two.
int part_of(int axis);

/// Combinations of a part by their numbers, ascending. Equal sets are one object, so that they are
/// compared by their address.
using Set = std::vector<int>;
/// Hypotheses: of each part any of these combinations.
using Cells = std::array<const Set*, parts>;
/// The combinations of each part.
using Combinations = std::array<std::vector<Mechanism>, parts>;
Combinations combinations_of(const Space& space);

/// Of numbers or addresses.
struct Hash {
  std::size_t operator()(const auto& list) const {
    std::size_t hash = 0;
    for (const auto each : list) {
      hash = (hash ^ (std::size_t)each) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// Equal lists are one object.
template <class List>
class Interned {
 public:
  const List* get(List list) { return &*lists_.insert(std::move(list)).first; }

 private:
  std::unordered_set<List, Hash> lists_;
};

/// What each combination answers to one question; those that are excluded already say nothing.
class Answers {
 public:
  std::vector<int> by_combination;

  struct Range {
    int least;
    int most;
  };
  Range range(const Set* set);

 private:
  std::unordered_map<const Set*, Range> ranges_;
};

enum class Question { several, room, usage };

/// What SMs are under each combination, as far as these rules go, and what they answer. Many SMs
/// are the same, and then one object.
template <class Rules>
class SmTable {
 public:
  using State = typename Rules::State;
  using Node = const std::vector<const State*>*;

  /// What is passed must outlive it.
  SmTable(const Device& device, const std::vector<Mechanism>& combinations,
          const std::vector<Kernel>& kernels)
      : live_(numbers_below(combinations.size())) {
    for (const Mechanism& each : combinations) rules_.emplace_back(device, each, kernels);
  }

  const Rules& rules(int combination) const { return rules_[combination]; }
  /// From now on the others are excluded.
  void look_at(Set live) { live_ = std::move(live); }

  Node empty() {
    return changed({0}, nullptr, 0, {}, [](const Rules&, State&) {});
  }
  /// That of another table, whose combinations but these are excluded.
  Node taken_over(Node other, const Set& kept) {
    const auto [made, is_new] = made_.try_emplace({5, number_of(other)});
    if (is_new) {
      std::vector<const State*> states;
      for (const int each : kept) states.push_back(&*states_.insert(*(*other)[each]).first);
      made->second = nodes_.get(std::move(states));
    }
    return made->second;
  }
  Node place(Node node, int kernel, const ConfiguredBy& by) {
    return changed({1, number_of(node), kernel, by[0], by[1], by[2]}, node, kernel, by,
                   [&](const Rules& rules, State& state) { rules.place(state, kernel, by); });
  }
  Node leave(Node node, const std::vector<int>& places) {
    std::vector<long> what = {2, number_of(node)};
    what.insert(what.end(), places.begin(), places.end());
    return changed(what, node, 0, {},
                   [&](const Rules& rules, State& state) { rules.leave(state, places); });
  }
  Node device_idle(Node node) {
    return changed({3, number_of(node)}, node, 0, {},
                   [](const Rules& rules, State& state) { rules.device_idle(state); });
  }
  /// An idle SM where such a block came last, and its last warp went there.
  Node after(int kernel, int last) {
    return changed({4, kernel, last}, nullptr, kernel, {}, [&](const Rules& rules, State& state) {
      state.pointer = rules.pointer_after(kernel, last);
    });
  }

  /// `most`: of several.
  Answers& ask(Question question, Node node, int kernel, const ConfiguredBy& by, int most = 0) {
    const auto [at, is_new] = answers_.try_emplace(
        {static_cast<long>(question), number_of(node), kernel, by[0], by[1], by[2], most});
    if (is_new) {
      std::vector<int>& answers = at->second.by_combination;
      answers.resize(rules_.size());
      for (const int each : live_) {
        const Rules& rules = rules_[each];
        const State& state = *(*node)[each];
        answers[each] = question == Question::room    ? rules.room(state, kernel, by)
                        : question == Question::usage ? rules.usage(state, kernel)
                                                      : several(rules, state, kernel, by, most);
      }
    }
    return at->second;
  }

 private:
  static long number_of(Node node) { return reinterpret_cast<long>(node); }

  static int several(const Rules& rules, const State& state, int kernel, ConfiguredBy by,
                     int most) {
    if (most == 0 || !rules.fits(state, kernel, by)) return 0;
    if (most == 1) return 1;
    State with_one = state;
    rules.place(with_one, kernel, by);
    for (int& each : by) each = each < 0 ? kernel : each;
    return 1 + several(rules, with_one, kernel, by, most - 1);
  }

  /// `what` is done; rules of one kind do the same.
  Node changed(const std::vector<long>& what, Node node, int kernel, const ConfiguredBy& by,
               const auto& change) {
    const auto [made, is_new] = made_.try_emplace(what);
    if (!is_new) return made->second;
    std::vector<const State*> states(rules_.size());
    std::unordered_map<std::array<long, 7>, const State*, Hash> alike;
    for (const int each : live_) {
      const State* before = node ? (*node)[each] : nullptr;
      const auto& kind = rules_[each].kind(kernel, by);
      std::array<long, 7> key{reinterpret_cast<long>(before)};
      std::ranges::copy(kind, key.begin() + 1);
      const State*& after = alike[key];
      if (!after) {
        State state = before ? *before : rules_[each].empty();
        change(rules_[each], state);
        after = &*states_.insert(std::move(state)).first;
      }
      states[each] = after;
    }
    return made->second = nodes_.get(std::move(states));
  }

  std::vector<Rules> rules_;
  Set live_;
  std::set<State> states_;
  Interned<std::vector<const State*>> nodes_;
  std::unordered_map<std::vector<long>, Node, Hash> made_;  ///< by what was done to which
  std::unordered_map<std::array<long, 7>, Answers, Hash> answers_;
};

/// Everything that is told apart in one recording.
struct Tables {
  /// `kernels`: of the probe, and behind them of the opening.
  Tables(const Device& device, Combinations of, std::vector<Kernel> all_kernels)
      : combinations(std::move(of)),
        kernels(std::move(all_kernels)),
        warps(device, combinations[Part::warps], kernels),
        shared(device, combinations[Part::shared_memory], kernels) {}

  const Combinations combinations;
  const std::vector<Kernel> kernels;
  Interned<Set> sets;
  SmTable<WarpRules> warps;
  SmTable<SharedRules> shared;
};

/// An SM, by what was put on it.
struct Sm {
  SmTable<WarpRules>::Node file;
  SmTable<SharedRules>::Node memory;
  int blocks = 0;
  int warps = 0;   ///< of the blocks
  int first = -1;  ///< whose block came when it was idle; -1: it is idle
  bool operator==(const Sm&) const = default;
};

}  // namespace cuvier::verify
