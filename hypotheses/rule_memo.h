#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

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
    if (const Value* known = results.find(application)) return *known;
    const Value result = make();
    results.add(application, result);
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

  /// A hash table that is emptied for every probe, and so gives back nothing then: entries in a
  /// row, and their places by open addressing.
  template <class Rule>
  class Results {
   public:
    const Value* find(const Application<Rule>& application) const {
      if (places_.empty()) return nullptr;
      const int entry = places_[place_of(application)];
      return entry < 0 ? nullptr : &entries_[entry].second;
    }

    void add(const Application<Rule>& application, const Value& value) {
      entries_.emplace_back(application, value);
      if (2 * entries_.size() > places_.size()) {
        places_.assign(std::max<std::size_t>(16, 2 * places_.size()), -1);
        for (std::size_t i = 0; i < entries_.size(); ++i) put(static_cast<int>(i));
      } else {
        put(static_cast<int>(entries_.size()) - 1);
      }
    }

    void clear() {
      if (entries_.empty()) return;
      entries_.clear();
      std::ranges::fill(places_, -1);
    }

   private:
    void put(int entry) { places_[place_of(entries_[entry].first)] = entry; }

    /// Where it is, or would be.
    std::size_t place_of(const Application<Rule>& application) const {
      const std::size_t last = places_.size() - 1;
      std::size_t place = hash(application) & last;
      while (places_[place] >= 0 && !(entries_[places_[place]].first == application)) {
        place = (place + 1) & last;
      }
      return place;
    }

    static std::size_t hash(const Application<Rule>& application) {
      constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15ull;
      std::uint64_t hash = 0;
      if constexpr (requires { application.rule.hash(); }) hash = application.rule.hash();
      for (const int operand : application.operands) {
        hash = (hash ^ static_cast<std::uint32_t>(operand)) * multiplier;
        hash ^= hash >> 32;
      }
      return hash;
    }

    std::vector<std::pair<Application<Rule>, Value>> entries_;
    std::vector<int> places_;  ///< a power of two of them; -1: none
  };

  template <class... Rules>
  static std::tuple<Results<Rules>...> results_of(RuleList<Rules...>);

  decltype(results_of(SmRules{})) results_;
};

}  // namespace cuvier
