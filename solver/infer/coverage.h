#pragma once

#include <functional>
#include <vector>

#include "probes/observation.h"
#include "solver/finding/confirmed.h"

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

  /// Pairs that the probe's launches would be the first of: of classes, or a class and a change
  /// that would have shown in the launch, or in a later one.
  int new_in(const Answer& answer) const;

  void add(const Answer& answer);

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
  /// Calls it with the number of each pair of each launch, of some more than once.
  void for_each_pair(const Answer& answer, const std::function<void(std::size_t)>& pair) const;
  int count(std::size_t begin, std::size_t end) const;

  const Device& device_;
  int changes_;
  std::vector<int> launches_;  ///< by class
  std::vector<bool> seen_;     ///< by pair: first those of a class and a class
};

}  // namespace cuvier
