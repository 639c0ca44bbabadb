#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "hypotheses/readings/choices.h"
#include "hypotheses/readings/concrete_reading.h"
#include "hypotheses/readings/other_rules.h"
#include "probes/observation.h"

namespace cuvier {

/// The concrete reading that notes what is placed, with the choices that nobody controls.
class Prediction : public ConcreteReading {
 public:
  /// Throws Error where the device's facts do not suffice for the hypothesis.
  Prediction(const Device& device, const Hypothesis& hypothesis,
             std::optional<OtherRules> other_rules = {})
      : ConcreteReading(SingleReading(device, hypothesis)), other_rules_(std::move(other_rules)) {}

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    const bool otherwise =
        other_rules_ && is_for_others(rule, std::array<int, sizeof...(States)>{number(states)...});
    return apply_under(otherwise ? other_rules_->hypothesis : hypothesis(), rule, states...);
  }

  /// Calls `f(rule)` for what a rule that reads one of these axes made in this probe where the
  /// other hypothesis (or, if that made it, this one) makes something else of it.
  void for_each_made_otherwise(std::uint64_t axes, const Hypothesis& other, const auto& f) const {
    const auto another = [&](const auto& rule, const auto& operands) -> const Hypothesis& {
      return other_rules_ && is_for_others(rule, operands) ? hypothesis() : other;
    };
    ConcreteReading::for_each_made_otherwise(axes, another, f);
  }

  template <class A>
  bool may_be_formula() const {
    return ConcreteReading::may_be_formula<A>() ||
           (other_rules_ && is_formula<A>(other_rules_->hypothesis.get<A>()));
  }

  /// In this step, these decide what nobody controls; none: nothing of it happens.
  void begin_step(int step, Choices* choices) {
    step_ = step;
    choices_ = choices;
  }
  bool another_joins(int kernel, int sm, int in_flight) {
    return choices_ && choices_->another_joins(choice_at(kernel, sm, 0, in_flight));
  }
  bool counts_late(int kernel, int sm, int before, int in_flight) {
    return choices_ && choices_->counts_late(choice_at(kernel, sm, before, in_flight));
  }

  void placed(int kernel, int block, int sm, const Warps& warps);

  /// What was placed since the last call.
  Step take_step();

 private:
  /// Whether it is about a block that goes by the other rules.
  bool is_for_others(const auto& rule, const auto& operands) const {
    if constexpr (requires { rule.template demand<Concrete>(); }) {
      const Demand<Concrete> demand = rule.template demand<Concrete>();
      JudgedBlock block{demand.warps, demand.registers, demand.shared};
      if constexpr (requires { rule.priority(); }) block.priority = rule.priority();
      if constexpr (requires { rule.kConfig; }) block.config = operands[rule.kConfig];
      return other_rules_->of(block);
    }
    return false;
  }

  Choice choice_at(int kernel, int sm, int before, int in_flight) const;

  std::optional<OtherRules> other_rules_;
  std::vector<Started> started_;  ///< by kernel, in the order in which they began to
  int step_ = 0;
  Choices* choices_ = nullptr;
};

}  // namespace cuvier
