#pragma once

#include <map>
#include <vector>

#include "hypotheses/concrete_reading.h"
#include "hypotheses/moments.h"
#include "probes/observation.h"

namespace cuvier {

/// The concrete reading that notes what is placed, with the moments that nobody controls.
class Prediction : public ConcreteReading {
 public:
  /// Throws Error where the device's facts do not suffice for the hypothesis.
  Prediction(const Device& device, const Hypothesis& hypothesis)
      : ConcreteReading(SingleReading(device, hypothesis)) {}

  /// In this step, these decide what nobody controls.
  void begin_step(int step, Moments& moments) {
    step_ = step;
    moments_ = &moments;
  }
  bool another_joins(int kernel, int sm, int in_flight) {
    return moments_ && moments_->another_joins(moment_at(kernel, sm, 0, in_flight));
  }
  bool counts_late(int kernel, int sm, int before, int in_flight) {
    return moments_ && moments_->counts_late(moment_at(kernel, sm, before, in_flight));
  }

  void placed(int kernel, int block, int sm, const Warps& warps);

  /// What was placed since the last call.
  Step take_step();

 private:
  Moment moment_at(int kernel, int sm, int before, int in_flight) const;

  std::map<int, Started> started_;
  int step_ = 0;
  Moments* moments_ = nullptr;  ///< none: nothing that nobody controls happens
};

}  // namespace cuvier
