#pragma once

#include "probes/oracles/forwarded_oracle.h"

namespace cuvier {

/// An oracle of a device about which it is wrong.
class CorrectedOracle : public ForwardedOracle {
 public:
  CorrectedOracle(std::unique_ptr<Oracle> oracle, Device device)
      : ForwardedOracle(std::move(oracle)), device_(std::move(device)) {}
  /// The oracle must outlive it.
  CorrectedOracle(Oracle& oracle, Device device)
      : ForwardedOracle(oracle), device_(std::move(device)) {}

  const Device& device() const override { return device_; }

 private:
  Device device_;
};

}  // namespace cuvier
