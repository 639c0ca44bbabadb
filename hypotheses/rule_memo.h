#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <unordered_map>

#include "hypotheses/sm_rules.h"

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
    if (const auto found = results.find(application); found != results.end()) {
      return found->second;
    }
    const Value result = make();
    results.emplace(application, result);
    return result;
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
  struct Hash {
    std::size_t operator()(const Application<Rule>& application) const {
      constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15ull;
      std::uint64_t hash = 0;
      if constexpr (requires { application.rule.hash(); }) hash = application.rule.hash();
      for (const int operand : application.operands) {
        hash = (hash ^ static_cast<std::uint32_t>(operand)) * multiplier;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };

  template <class Rule>
  using Results = std::unordered_map<Application<Rule>, Value, Hash<Rule>>;

  template <class... Rules>
  static std::tuple<Results<Rules>...> results_of(RuleList<Rules...>);

  decltype(results_of(SmRules{})) results_;
};

}  // namespace cuvier
