#pragma once

#include <optional>

#include "hypotheses/simulator.h"
#include "probes/oracle.h"

namespace cuvier {

/// A device that follows a given hypothesis, behind the oracle's interface. Shows what a
/// GPU would: the SM of each block, and no other channel unless asked for.
class SimulatedOracle : public Oracle {
 public:
  /// The seed is that of what nobody controls.
  SimulatedOracle(std::string description, const Device& device, const Hypothesis& hypothesis,
                  std::uint64_t seed = 1);

  const Device& device() const override { return device_; }
  std::string description() const override { return description_; }
  std::vector<Answer> run(const Probe& probe, int repeat) override;
  bool begin_session() override;
  int session() const override { return session_; }

  const Hypothesis& hypothesis() const { return hypothesis_; }

 private:
  std::string description_;
  Device device_;
  Hypothesis hypothesis_;
  std::optional<Simulator> simulator_;
  DrawnChoices choices_;
  int session_ = 0;
};

}  // namespace cuvier
