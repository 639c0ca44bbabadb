#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hypotheses/simulator.h"
#include "probes/family.h"
#include "solver/cancellation/task.h"
#include "solver/infer/coverage.h"
#include "solver/infer/probe_stock.h"

namespace cuvier {

/// What was asked so far, as one hypothesis explains it, and probes that show what was not seen
/// yet. A mechanism may be another one for some launches alone: so launches of many kinds are asked
/// for, and that each change of an axis would have shown in many.
class UnseenProbes {
 public:
  /// `channels`: what is seen beside the SM of each block. The device must outlive it.
  UnseenProbes(const Device& device, const std::vector<std::string>& channels,
               const Hypothesis& left, Rng& rng);

  /// Takes into account what was asked since, of all that was.
  void observe(const std::vector<Recording>& asked);

  /// Of a stock that is drawn anew now and then, the probe that shows most; it may have been
  /// `asked`. None where nothing is new in any.
  std::optional<Probe> next(const std::vector<Recording>& asked, const Task& task);

  /// In the state in which the next probe finds the device.
  const Simulator& simulator() const { return simulator_; }
  const Coverage& coverage() const { return coverage_; }

 private:
  /// A probe, what it would show, and which changes.
  struct Previewed {
    Probe probe;
    ProbeFamily family = {};  ///< none: varied
    Observation seen = {};
    std::vector<Coverage::Shown> shown = {};
  };
  Previewed drawn_of(const ProbeFamily& family);
  ProbeStock draw(const std::vector<Recording>& asked, const Task& task);
  void preview(std::vector<Previewed>& probes);
  void add_more(std::vector<Previewed>& probes, int change);
  Observation seen_by(Simulator& simulator, const Probe& probe) const;
  std::optional<int> parting_kernel(const Probe& probe, const Observation& seen, int change);

  const Device& device_;
  std::vector<std::string> channels_;
  Rng& rng_;
  Simulator simulator_;
  std::vector<Simulator> changed_;  ///< in one axis each, at the start of a session
  Coverage coverage_;
  std::size_t observed_ = 0;
  int in_session_ = 0;  ///< of these, the latest
  std::optional<ProbeStock> stock_;
  int taken_ = 0;  ///< of the stock
};

}  // namespace cuvier
