#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "hypotheses/fast/flat_index.h"
#include "hypotheses/scheduler/sm_rules.h"

namespace cuvier {

/// What rules (sm_rules.h) made of their operands, which are given by number: a rule is evaluated
/// once for each. Value is what stands for a result.
template <class Value>
class RuleMemo {
 public:
  static constexpr std::size_t kMostOperands = 7;
  using Operands = std::array<int, kMostOperands>;  ///< those that there are not are 0

  /// The result, made by `make` where it is not known yet.
  template <class Rule, std::size_t count, class Make>
  Value recall(const Rule& rule, const std::array<int, count>& operands, Make&& make) {
    static_assert(count <= kMostOperands);
    auto& results = std::get<Results<Rule>>(results_);
    std::size_t hash = 0;
    if constexpr (requires { rule.hash(); }) hash = rule.hash();
    for (const int operand : operands) hash = hash_combine(hash, operand);
    if (const Value* known = results.find(hash, rule, operands)) return *known;
    const Value result = make();
    results.add(hash, rule, operands, result);
    return result;
  }

  /// Calls `f(rule, operands, result)` for each result that is known.
  void for_each(const auto& f) const {
    std::apply([&](const auto&... results) { (results.for_each(f), ...); }, results_);
  }

  void clear() {
    std::apply([](auto&... results) { (results.clear(), ...); }, results_);
  }

 private:
  template <class Rule>
  struct Entry {
    Rule rule;
    Operands operands;
    Value result;
  };

  template <class Rule>
  class Results {
   public:
    const Value* find(std::size_t hash, const Rule& rule, const auto& operands) const {
      const int found = index_.find(hash, [&](int at) {
        const Entry<Rule>& entry = entries_[at];
        return entry.rule == rule &&
               std::equal(operands.begin(), operands.end(), entry.operands.begin());
      });
      return found < 0 ? nullptr : &entries_[found].result;
    }

    void add(std::size_t hash, const Rule& rule, const auto& operands, const Value& result) {
      Entry<Rule>& entry = entries_.emplace_back(rule, Operands{}, result);
      std::ranges::copy(operands, entry.operands.begin());
      index_.add(hash);
    }

    void for_each(const auto& f) const {
      for (const auto& [rule, operands, result] : entries_) f(rule, operands, result);
    }

    void clear() {
      entries_.clear();
      index_.clear();
    }

   private:
    std::vector<Entry<Rule>> entries_;
    FlatIndex index_;
  };

  template <class... Rules>
  static std::tuple<Results<Rules>...> results_of(RuleList<Rules...>);

  decltype(results_of(SmRules{})) results_;
};

}  // namespace cuvier
