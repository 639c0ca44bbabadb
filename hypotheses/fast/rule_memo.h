#pragma once

#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "hypotheses/fast/flat_index.h"
#include "hypotheses/scheduler/sm_rules.h"

namespace cuvier {

/// What rules (sm_rules.h) made of their operands, which are given by number: a rule is evaluated
/// once for each. Value is what stands for a result.
template <class Value>
class RuleMemo {
 public:
  static constexpr std::size_t kMostOperands = 5;
  using Operands = std::array<int, kMostOperands>;  ///< those that there are not are 0

  /// The result, made by `make` where it is not known yet.
  template <class Rule, class Make>
  Value recall(const Rule& rule, const Operands& operands, Make&& make) {
    auto& results = std::get<Results<Rule>>(results_);
    const Application<Rule> application{rule, operands};
    if (const Value* known = results.find(application)) return *known;
    const Value result = make();
    results.add(application, result);
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
  struct Application {
    Rule rule;
    Operands operands;
    bool operator==(const Application&) const = default;
  };

  template <class Rule>
  class Results {
   public:
    const Value* find(const Application<Rule>& application) const {
      const int entry = index_.find(hash_of(application),
                                    [&](int at) { return entries_[at].first == application; });
      return entry < 0 ? nullptr : &entries_[entry].second;
    }

    void add(const Application<Rule>& application, const Value& value) {
      entries_.emplace_back(application, value);
      index_.add(hash_of(application));
    }

    void for_each(const auto& f) const {
      for (const auto& [of, result] : entries_) f(of.rule, of.operands, result);
    }

    void clear() {
      entries_.clear();
      index_.clear();
    }

   private:
    static std::size_t hash_of(const Application<Rule>& application) {
      std::size_t hash = 0;
      if constexpr (requires { application.rule.hash(); }) hash = application.rule.hash();
      for (const int operand : application.operands) hash = hash_combine(hash, operand);
      return hash;
    }

    std::vector<std::pair<Application<Rule>, Value>> entries_;
    FlatIndex index_;
  };

  template <class... Rules>
  static std::tuple<Results<Rules>...> results_of(RuleList<Rules...>);

  decltype(results_of(SmRules{})) results_;
};

}  // namespace cuvier
