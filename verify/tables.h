#pragma once

// What rules answer in one recording under each combination of the values of the axes that they
// rest on: a table over a few axes, whatever the others are.

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "verify/sm_rules.h"

namespace cuvier::verify {

/// The axes fall into parts that are asked by themselves. These are of several axes; each other
/// axis is a part of its own.
enum Part { warps, shared_memory, batches };
inline constexpr Axis axes_of_warps[] = {"register_granularity", "warp_placement",  "warp_layout",
                                         "register_pool",        "register_layout", "pointer_skip",
                                         "pointer_reset",        "room_warps"};
inline constexpr Axis axes_of_shared_memory[] = {
    "register_granularity", "config_occupancy", "config_rounding", "shared_granularity",
    "runtime_shared",       "config_scope",     "config_gate",     "config_change",
    "config_target",        "shared_placement", "shared_room"};
inline constexpr Axis axes_of_batches[] = {"dispatch_batch",  "batch_margin", "batch_lag",
                                           "pairs_in_flight", "batch_size",   "numbering"};
/// Register granularity is an axis of two.
constexpr int parts = 3 + axis_count + 1 -
                      static_cast<int>(std::size(axes_of_warps) + std::size(axes_of_shared_memory) +
                                       std::size(axes_of_batches));
const std::vector<int>& axes_of(int part);
inline constexpr auto parts_of_axes = [] {
  std::array<int, axis_count> part_of{};
  for (int axis = 0, others = 3; axis < axis_count; ++axis) {
    const auto is_in = [&](const auto& axes) {
      return std::ranges::any_of(axes, [&](const Axis& each) { return each == axis; });
    };
    part_of[axis] = is_in(axes_of_warps)           ? Part::warps
                    : is_in(axes_of_shared_memory) ? Part::shared_memory
                    : is_in(axes_of_batches)       ? Part::batches
                                                   : others++;
  }
  return part_of;
}();
/// That of an axis; the first of two.
constexpr int part_of(int axis) { return parts_of_axes[axis]; }

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
    for (const auto each : list) hash = (hash ^ (std::size_t)each) * 0x9E3779B97F4A7C15ULL;
    return hash;
  }
};

inline long number_of(const auto* object) { return reinterpret_cast<long>(object); }

/// Equal lists are one object.
template <class Each>
class Lists {
 public:
  using List = std::vector<Each>;
  const List* get(List list) { return &*lists_.insert(std::move(list)).first; }
  /// Of ascending ones, what is in one or in the other.
  const List* either(const List* one, const List* other) {
    return made({number_of(one), number_of(other)}, [&] {
      List all;
      std::ranges::set_union(*one, *other, std::back_inserter(all));
      return all;
    });
  }
  /// That which comes of what is done; it is made once.
  const List* made(const std::vector<long>& what, const auto& make) {
    const auto [made, is_new] = made_.try_emplace(what);
    if (is_new) made->second = get(make());
    return made->second;
  }

 private:
  std::unordered_set<List, Hash> lists_;
  std::unordered_map<std::vector<long>, const List*, Hash> made_;
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
  /// Those of the set that answer alike, where more than `most` is as good as that.
  const std::vector<const Set*>& alike(const Set* set, int most, Lists<int>& sets);

 private:
  std::unordered_map<const Set*, Range> ranges_;
  std::map<std::pair<const Set*, int>, std::vector<const Set*>> alike_;
};

/// The configurations that SMs which share one have, or had last: by combination of the part of
/// shared memory. Equal ones are one object. Null: they never had one.
using Configs = const std::vector<int>*;
using Domains = DomainsOf<Configs>;

/// As they are under a combination.
inline Around under(const Domains& domains, int combination) {
  Around around;
  for (std::size_t i = 0; i < around.size(); ++i) {
    const auto& [idle, emptied, configs] = domains[i];
    around[i] = {idle, emptied, configs ? (*configs)[combination] : 0};
  }
  return around;
}
/// Which they are.
inline std::array<long, 4> numbers_of(const Domains& domains) {
  std::array<long, 4> numbers{};
  for (std::size_t i = 0; i < domains.size(); ++i) {
    numbers[i] = number_of(domains[i].config);
    numbers.back() = 4 * numbers.back() + 2 * domains[i].emptied + domains[i].idle;
  }
  return numbers;
}

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
    for (const Mechanism& each : combinations) rules_.emplace_back(RulesOf{device, each, kernels});
  }

  const Rules& rules(int combination) const { return rules_[combination]; }
  std::size_t combinations() const { return rules_.size(); }
  /// From now on the others are excluded.
  void look_at(Set live) { live_ = std::move(live); }

  Node empty() {
    return changed({0}, nullptr, 0, {}, [](const Rules&, State&, const Around&) {});
  }
  /// That of another table, whose combinations but these are excluded; null: an empty one.
  Node taken_over(Node other, const Set& kept) {
    if (!other) return empty();
    return nodes_.made({5, number_of(other)}, [&] {
      std::vector<const State*> states;
      for (const int each : kept) states.push_back(&*states_.insert(*(*other)[each]).first);
      return states;
    });
  }
  Node place(Node node, int kernel, const Domains& domains) {
    std::vector<long> what = {1, number_of(node), kernel};
    std::ranges::copy(numbers_of(domains), std::back_inserter(what));
    return changed(what, node, kernel, domains,
                   [&](const Rules& rules, State& state, const Around& around) {
                     rules.place(state, kernel, around);
                   });
  }
  Node leave(Node node, const std::vector<int>& places) {
    std::vector<long> what = {2, number_of(node)};
    what.insert(what.end(), places.begin(), places.end());
    return changed(what, node, 0, {}, [&](const Rules& rules, State& state, const Around&) {
      rules.leave(state, places);
    });
  }
  Node device_idle(Node node) {
    return changed(
        {3, number_of(node)}, node, 0, {},
        [](const Rules& rules, State& state, const Around&) { rules.device_idle(state); });
  }
  /// An idle SM where such a block came last, and its last warp went there.
  Node after(int kernel, int last) {
    return changed({4, kernel, last}, nullptr, kernel, {},
                   [&](const Rules& rules, State& state, const Around&) {
                     state.pointer = rules.pointer_after(kernel, last);
                   });
  }

  /// `most`: of several.
  Answers& ask(Question question, Node node, int kernel, const Domains& domains, int most = 0) {
    const auto [tpc, sm, device, idle] = numbers_of(domains);
    const auto [at, is_new] = answers_.try_emplace(
        {static_cast<long>(question), number_of(node), kernel, tpc, sm, device, idle, most});
    if (is_new) {
      std::vector<int>& answers = at->second.by_combination;
      answers.resize(rules_.size());
      for (const int each : live_) {
        const Rules& rules = rules_[each];
        const State& state = *(*node)[each];
        const Around around = under(domains, each);
        answers[each] = question == Question::room    ? rules.room(state, kernel, around)
                        : question == Question::usage ? rules.usage(state, kernel)
                                                      : several(rules, state, kernel, around, most);
      }
    }
    return at->second;
  }

 private:
  static int several(const Rules& rules, const State& state, int kernel, const Around& around,
                     int most) {
    if (most == 0 || !rules.fits(state, kernel, around)) return 0;
    if (most == 1) return 1;
    State with_one = state;
    rules.place(with_one, kernel, around);
    Around then = around;
    for (std::size_t i = 0; i < then.size(); ++i) {
      then[i] = {false, false, rules.with_block(kernel, i, around)};
    }
    return 1 + several(rules, with_one, kernel, then, most - 1);
  }

  /// `what` is done; rules of one kind do the same.
  Node changed(const std::vector<long>& what, Node node, int kernel, const Domains& domains,
               const auto& change) {
    return nodes_.made(what, [&] {
      std::vector<const State*> states(rules_.size());
      using Key = std::array<long, std::tuple_size_v<Kind> + 1>;
      std::unordered_map<Key, const State*, Hash> alike;
      for (const int each : live_) {
        const State* before = node ? (*node)[each] : nullptr;
        const Around around = under(domains, each);
        Key key{number_of(before)};
        std::ranges::copy(rules_[each].kind(kernel, around), key.begin() + 1);
        const State*& after = alike[key];
        if (!after) {
          State state = before ? *before : rules_[each].empty();
          change(rules_[each], state, around);
          after = &*states_.insert(std::move(state)).first;
        }
        states[each] = after;
      }
      return states;
    });
  }

  std::vector<Rules> rules_;
  Set live_;
  std::set<State> states_;
  Lists<const State*> nodes_;
  std::unordered_map<std::array<long, 8>, Answers, Hash> answers_;
};

/// What configurations are under each combination.
class ConfigTable {
 public:
  /// The table must outlive it.
  explicit ConfigTable(const SmTable<SharedRules>& shared) : shared_(&shared) {}

  /// Those of another table, whose combinations but these are excluded; null: of none.
  Configs taken_over(Configs other, const Set& kept) {
    return of_each({0, number_of(other)},
                   [&](int each) { return other ? (*other)[kept[each]] : 0; });
  }
  /// Of the domain at that place once a block of the kernel is there.
  Configs with_block(int kernel, int domain, const Domains& around) {
    const auto& [idle, emptied, config] = around[domain];
    return of_each({1, kernel, domain, number_of(config), idle, emptied, around.back().idle},
                   [&](int each) {
                     return shared_->rules(each).with_block(kernel, domain, under(around, each));
                   });
  }
  /// Once the SMs are idle.
  Configs left(Configs configs) {
    return of_each({2, number_of(configs)},
                   [&](int each) { return shared_->rules(each).left((*configs)[each]); });
  }

 private:
  Configs of_each(const std::vector<long>& what, const auto& config) {
    return lists_.made(what, [&] {
      Set configs = numbers_below(shared_->combinations());
      for (int& each : configs) each = static_cast<int>(config(each));
      return configs;
    });
  }

  const SmTable<SharedRules>* shared_;
  Lists<int> lists_;
};

/// Everything that is told apart in one recording.
struct Tables {
  /// `kernels`: of the probe, and behind them of the opening.
  Tables(const Device& device, Combinations of, std::vector<Kernel> all_kernels)
      : combinations(std::move(of)),
        kernels(std::move(all_kernels)),
        warps(device, combinations[Part::warps], kernels),
        shared(device, combinations[Part::shared_memory], kernels),
        configs(shared) {}

  /// Whether any mechanism has a rule of the axis that reads the name.
  bool any_reads(Axis axis, std::string_view name) const {
    return std::ranges::any_of(combinations[part_of(axis)], [&](const Mechanism& mechanism) {
      const Formula* rule = mechanism.rule(axis);
      return rule && rule->reads(name);
    });
  }
  bool has_formula(Axis axis) const {
    return std::ranges::any_of(combinations[part_of(axis)], [&](const Mechanism& mechanism) {
      return mechanism.is_formula(axis);
    });
  }

  const Combinations combinations;
  // What only rules that read it remember:
  const bool notes_freed = any_reads("selection", "freed");
  const bool notes_received = any_reads("selection", "received");
  const bool notes_marks = has_formula("mark");
  const bool notes_turns = has_formula("priority");
  const std::vector<Kernel> kernels;
  Lists<int> sets;
  SmTable<WarpRules> warps;
  SmTable<SharedRules> shared;
  ConfigTable configs;
};

/// An SM, by what was put on it.
struct Sm {
  SmTable<WarpRules>::Node file = nullptr;
  SmTable<SharedRules>::Node memory = nullptr;
  int blocks = 0;
  int warps = 0;  ///< of the blocks
  bool operator==(const Sm&) const = default;
};

}  // namespace cuvier::verify
