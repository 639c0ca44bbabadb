#pragma once

#include <cstddef>
#include <vector>

#include "probes/observation.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// What launches were like so far: their block, their grid, what they met. Each is of one class of
/// each feature. A mechanism that treats classes, or two of them together, in a way that no
/// hypothesis knows of can show only where these were seen; and a rule that is another one for some
/// class, only where that other rule would have shown in such a launch or after it.
class Coverage {
 public:
  /// A change of the mechanism that would have shown, and the kernel whose blocks it would first.
  struct Shown {
    int change;
    int kernel;
  };
  /// A probe, and what happened or would happen.
  struct Answer {
    const Probe& probe;
    const Observation& seen;
    int before_in_session = 0;
    std::vector<Shown> shown = {};
  };

  /// `changes`: how many there are that may show.
  Coverage(const Device& device, int changes);

  /// The numbers of the pairs that the probe's launches are of: of classes, or a class and a change
  /// that would have shown in the launch, or in a later one. Each once.
  std::vector<std::size_t> pairs_of(const Answer& answer) const;

  void add(const Answer& answer);
  /// For a change that is more than once: what shows in a launch may come from elsewhere.
  bool was_seen(std::size_t pair) const {
    return seen_[pair] > (pair < pairs_of_classes() ? 0 : 1);
  }

  /// By feature, how many launches were of each class.
  std::vector<CoveredFeature> features() const;
  int pairs() const;            ///< of classes
  int pairs_of_change() const;  ///< of a class and a change

 private:
  struct Launched {
    int kernel;
    std::vector<int> classes;  ///< by feature: numbers among all classes
  };
  std::vector<Launched> launches(const Answer& answer) const;
  std::size_t pairs_of_classes() const { return launches_.size() * launches_.size(); }
  int count(std::size_t begin, std::size_t end) const;

  const Device& device_;
  int changes_;
  std::vector<int> launches_;  ///< by class
  std::vector<int> seen_;      ///< by pair, how often: first those of a class and a class
};

}  // namespace cuvier
