#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "probes/observation.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// What launches were like so far: their block, their grid, what they met. Each is of one class of
/// each feature. A mechanism that treats classes, or two of them together, in a way that no
/// hypothesis knows of can show only where these were seen.
class Coverage {
 public:
  /// A probe, and what happened or would happen.
  struct Answer {
    const Probe& probe;
    const Observation& seen;
    int before_in_session = 0;
  };

  explicit Coverage(const Device& device);

  /// The numbers of the pairs of classes that the probe's launches are of. Each once.
  std::vector<std::size_t> pairs_of(const Answer& answer) const;

  void add(const Answer& answer);
  bool was_seen(std::size_t pair) const { return seen_[pair]; }

  /// By feature, how many launches were of each class.
  std::vector<CoveredFeature> features() const;

  /// Those that some launch was of, or those that none was: some of these cannot be.
  std::vector<std::pair<LaunchKind, LaunchKind>> pairs(bool seen) const;

 private:
  std::vector<std::vector<int>> launches(const Answer& answer) const;

  const Device& device_;
  std::vector<int> launches_;  ///< by class
  std::vector<bool> seen_;     ///< by pair
};

}  // namespace cuvier
