#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solver/cancellation/task.h"
#include "solver/conflicts/conflicts.h"
#include "solver/space/survivors.h"
#include "solver/space/version_space.h"

namespace cuvier {

/// The hypotheses that explain what was observed, but for as few observations as possible: a
/// version space for each smallest correction (correction set), whose observations are doubted. At
/// first nothing is. To withdraw an observation, the space is made anew from the others; one can
/// be withdrawn as long as nothing that counts ran after it in its session.
class CorrectedSpace {
 public:
  CorrectedSpace(const Device& device, const Assumptions& assumptions);

  /// Throws Stopped where the task is to end: then it is of no more use. False: it told nothing new
  /// (VersionSpace::observe).
  bool observe(const Recording& recording, const Task& task = {});

  /// Another outcome for one of them; what was doubted is no longer.
  void replace(std::size_t index, const Recording& recording);

  const std::vector<Recording>& observed() const { return observed_; }
  std::vector<Recording> counted() const;  ///< all but what is doubted

  /// Nothing explains all but what is doubted.
  bool empty() const;

  /// Observations that nothing explains together, though something explains any but one of them:
  /// any that can be withdrawn. One that is needed to see that stays, too (GaveUp without it).
  /// Throws Stopped where the task is to end.
  Subset conflict(const Subset& but = {}, const Task& task = {}) const;

  /// Doubts one more than before, in each way that leaves something and is `permitted`. False if
  /// there is none.
  bool correct_further(const std::function<bool(const Subset&)>& permitted);

  const std::vector<Correction<VersionSpace>>& corrections() const { return corrections_; }

  /// What is left if these are doubted, and no other.
  VersionSpace without(const Subset& doubted, const Task& task = {}) const;

  // As of one version space.
  HypothesisCount count() const;
  SurvivingValues surviving() const;
  std::array<bool, kAxes> open() const;
  Hypothesis simplest() const;
  std::optional<std::vector<Hypothesis>> members(int most) const;
  std::vector<Hypothesis> draw(int count, Rng& rng) const;

 private:
  /// Whether nothing that counts, if these are gone, ran after it in its session.
  bool can_go(std::size_t index, const Subset& gone) const;

  VersionSpace without(const Subset& doubted, const Assumptions& assumptions,
                       const Task& task) const;

  /// Whether all others but `but` can go, and it is known that nothing that is assumed explains
  /// those that are kept.
  bool contradicts(const Subset& kept, const Subset& but, const Assumptions& assumptions,
                   const Task& task) const;

  /// Sessions that contradict each other: the last one and, of the others, those that told
  /// something new. But for these observations; all others where that is not known.
  Subset contradicted(const Subset& but, const Assumptions& assumptions, const Task& task) const;

  Device device_;
  Assumptions assumptions_;
  std::vector<Recording> observed_;
  std::vector<Correction<VersionSpace>> corrections_;  ///< of equally many doubts each; never none
  std::vector<Subset> conflicts_;                      ///< known
};

}  // namespace cuvier
