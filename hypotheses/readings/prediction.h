#pragma once

#include <map>
#include <vector>

#include "hypotheses/readings/choices.h"
#include "hypotheses/readings/concrete_reading.h"
#include "probes/observation.h"

namespace cuvier {

/// The concrete reading that notes what is placed, with the choices that nobody controls.
class Prediction : public ConcreteReading {
 public:
  /// Throws Error where the device's facts do not suffice for the hypothesis.
  Prediction(const Device& device, const Hypothesis& hypothesis)
      : ConcreteReading(SingleReading(device, hypothesis)) {}

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

  std::map<int, Started> started_;
  int step_ = 0;
  Choices* choices_ = nullptr;  ///< none: nothing that nobody controls happens
};

}  // namespace cuvier
