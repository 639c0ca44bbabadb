#pragma once

#include <memory>
#include <utility>

#include "probes/oracle.h"

namespace cuvier {

/// An oracle as it is, of a device about which it is wrong.
class CorrectedOracle : public Oracle {
 public:
  CorrectedOracle(std::unique_ptr<Oracle> oracle, Device device)
      : owned_(std::move(oracle)), oracle_(*owned_), device_(std::move(device)) {}
  /// The oracle must outlive it.
  CorrectedOracle(Oracle& oracle, Device device) : oracle_(oracle), device_(std::move(device)) {}

  const Device& device() const override { return device_; }
  std::string description() const override { return oracle_.description(); }
  Unit unit() const override { return oracle_.unit(); }
  std::vector<std::string> channels() const override { return oracle_.channels(); }
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    return oracle_.run(probe, repeat);
  }
  bool begin_session() override { return oracle_.begin_session(); }
  int session() const override { return oracle_.session(); }
  bool session_is_over() const override { return oracle_.session_is_over(); }
  std::shared_ptr<const InitialObservation> opening() const override { return oracle_.opening(); }
  bool answers_anything() const override { return oracle_.answers_anything(); }
  std::vector<Probe> catalogue() const override { return oracle_.catalogue(); }

 private:
  std::unique_ptr<Oracle> owned_;
  Oracle& oracle_;
  Device device_;
};

}  // namespace cuvier
