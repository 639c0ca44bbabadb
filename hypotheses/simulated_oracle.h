#pragma once

#include "hypotheses/simulator.h"
#include "probes/oracle.h"

namespace cuvier {

/// A device that follows a given hypothesis, behind the oracle's interface. Shows what any GPU
/// would: the SM of each block, and no channel beside.
class SimulatedOracle : public Oracle {
 public:
  /// The seed is that of what nobody controls.
  SimulatedOracle(std::string description, const Device& device, const Hypothesis& hypothesis,
                  std::uint64_t seed = 1);

  const Device& device() const override { return simulator_.device(); }
  std::string description() const override { return description_; }
  std::vector<Answer> run(const Probe& probe, int repeat) override;
  bool begin_session() override;
  int session() const override { return session_; }

  const Hypothesis& hypothesis() const { return simulator_.hypothesis(); }

 private:
  std::string description_;
  Simulator simulator_;
  DrawnChoices choices_;
  int session_ = 0;
};

}  // namespace cuvier
