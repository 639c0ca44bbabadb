#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "probes/rng.h"
#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"
#include "solver/finding/special_case.h"

namespace cuvier {

/// Special cases of the hypothesis that comes nearest which explain what it does not.
class SpecialCases {
 public:
  /// Looks for those that get the fewest of these recordings wrong. The device must outlive it.
  SpecialCases(const Device& device, const Hypothesis& nearest,
               const std::vector<Recording>& recordings, Rng& rng, const Task& task);

  /// Of these probes the one that tells most of the best apart, and from the nearest itself, in a
  /// session of its own; none where none does, or where it did often enough.
  std::optional<Probe> splitting(const std::vector<Probe>& probes);

  /// Takes into account what was asked of that, in a session of its own.
  void observe(const Recording& recording);

  /// The one that gets the fewest wrong; none where that is hardly fewer than the nearest does.
  std::optional<NearMiss::ButFor> best() const;

 private:
  struct Candidate {
    const Deviation* deviation;
    KernelClass kernels;
    int wrong = 0;  ///< recordings
  };

  std::vector<Candidate> candidates(const Deviation& deviation,
                                    const std::vector<Recording>& recordings, const Task& task);
  std::vector<Candidate> leading() const;
  void add_kernels(const Recording& recording);

  const Device& device_;
  Hypothesis nearest_;
  std::vector<Deviation> deviations_;
  std::vector<Recording>
      unexplained_;            ///< some that the nearest gets wrong, the same in any session
  Simulator simulator_;        ///< of the nearest
  std::vector<Kernel> asked_;  ///< without their names
  int wrong_ = 0;              ///< recordings that it gets wrong
  int recordings_ = 0;
  int tests_ = 0;                ///< probes that only told the best from the nearest
  std::atomic<int> fewest_ = 0;  ///< recordings that a candidate gets wrong, as found so far
  std::vector<Candidate> candidates_;
};

}  // namespace cuvier
