#pragma once

#include <memory>
#include <utility>

#include "probes/oracle.h"

namespace cuvier {

/// An oracle as it is; to be another in some respect.
class ForwardedOracle : public Oracle {
 public:
  explicit ForwardedOracle(std::unique_ptr<Oracle> oracle)
      : owned_(std::move(oracle)), oracle_(*owned_) {}
  /// The oracle must outlive it.
  explicit ForwardedOracle(Oracle& oracle) : oracle_(oracle) {}

  const Device& device() const override { return oracle_.device(); }
  std::string description() const override { return oracle_.description(); }
  Unit unit() const override { return oracle_.unit(); }
  std::vector<std::string> channels() const override { return oracle_.channels(); }
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    return oracle_.run(probe, repeat);
  }
  bool begin_session() override { return oracle_.begin_session(); }
  int session() const override { return oracle_.session(); }
  void hold_sessions(int count, const Session& session) override {
    oracle_.hold_sessions(count, session);
  }
  bool session_is_over() const override { return oracle_.session_is_over(); }
  std::shared_ptr<const InitialObservation> opening() const override { return oracle_.opening(); }
  bool answers_anything() const override { return oracle_.answers_anything(); }
  std::vector<Probe> catalogue() const override { return oracle_.catalogue(); }

 protected:
  Oracle& oracle() { return oracle_; }

 private:
  std::unique_ptr<Oracle> owned_;
  Oracle& oracle_;
};

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
