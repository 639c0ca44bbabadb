#pragma once

#include <optional>
#include <vector>

#include "hypotheses/simulator.h"
#include "probes/family.h"
#include "solver/cancellation/task.h"
#include "solver/infer/coverage.h"

namespace cuvier {

/// What was asked so far, as one hypothesis explains it, and probes with launches of kinds that
/// were not seen together yet. A mechanism may be another one for some launches alone.
class UnseenProbes {
 public:
  /// The device must outlive it.
  UnseenProbes(const Device& device, const Hypothesis& left, Rng& rng);

  /// Takes into account what was asked since, of all that was.
  void observe(const std::vector<Recording>& asked);

  /// Of a stock that is drawn anew now and then, the probe that shows most of what was not seen: a
  /// pair that few of the stock show counts for more. It may have been `asked`. None where nothing
  /// is new in any.
  std::optional<Probe> next(const std::vector<Recording>& asked, const Task& task);

  /// In the state in which the next probe finds the device.
  const Simulator& simulator() const { return simulator_; }
  const Coverage& coverage() const { return coverage_; }

 private:
  /// A probe of the stock, and the pairs of Coverage that it would show.
  struct Drawn {
    Probe probe;
    std::vector<std::size_t> pairs;
  };

  void draw(const std::vector<Recording>& asked, const Task& task);

  const Device& device_;
  Rng& rng_;
  Simulator simulator_;
  Coverage coverage_;
  std::size_t observed_ = 0;
  int in_session_ = 0;  ///< of these, the latest
  std::vector<Drawn> stock_;
  std::vector<int> shown_by_;  ///< how many were drawn that show the pair
  int taken_;                  ///< of the stock; as if one were used up, at first
};

}  // namespace cuvier
