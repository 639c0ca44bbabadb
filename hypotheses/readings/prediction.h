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
    if constexpr (requires { rule.template demand<Concrete>(); }) {
      if (other_rules_) {
        const Demand<Concrete> demand = rule.template demand<Concrete>();
        if (other_rules_->of(demand.warps, demand.registers, demand.shared)) {
          return apply_under(other_rules_->hypothesis, rule, states...);
        }
      }
    }
    return ConcreteReading::apply(rule, states...);
  }

  /// In this step, these decide what nobody controls.
  void begin_step(int step, Choices& choices) {
    step_ = step;
    choices_ = &choices;
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
  Choice choice_at(int kernel, int sm, int before, int in_flight) const;

  std::optional<OtherRules> other_rules_;
  std::vector<Started> started_;  ///< by kernel, in the order in which they began to
  int step_ = 0;
  Choices* choices_ = nullptr;  ///< none: nothing that nobody controls happens
};

}  // namespace cuvier
