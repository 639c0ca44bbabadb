#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "hypotheses/assumptions.h"
#include "probes/fact.h"
#include "probes/rng.h"
#include "solver/cancellation/task.h"
#include "solver/space/sessions.h"
#include "solver/space/survivors.h"

namespace cuvier {

/// The hypotheses that explain everything observed so far. Exact: the set is held as a
/// decision diagram over the axes, so that 10^12 hypotheses are counted, not sampled.
class VersionSpace {
 public:
  VersionSpace(const Device& device, const Assumptions& assumptions);
  ~VersionSpace();
  VersionSpace(VersionSpace&&) noexcept;
  VersionSpace& operator=(VersionSpace&&) noexcept;

  /// Keeps only what explains the recording, which ran after those before it unless it is
  /// fresh. Throws GaveUp (solver/cancellation/task.h) where there are too many ways to; unless
  /// it is empty then, the space is as it was before. The task is told before each way to explain
  /// it; where it is to end, what explains the recording is left, and maybe more. False: few were
  /// left and all of them predicted it, so that the space is what it was before.
  bool observe(const Recording& recording, const Task& task = {});

  bool empty() const;
  bool contains(const Hypothesis& hypothesis) const;
  HypothesisCount count() const;
  SurvivingValues surviving() const;

  /// By axis: it matters under some survivor, and more than one of its values is left.
  std::array<bool, kAxes> open() const;

  /// The simplest survivor: Algorithm 1's values where possible, then the earlier in the table,
  /// in the table's order of axes. There must be one.
  Hypothesis simplest() const;

  /// All survivors, the simplest first, those that differ only in axes that do not matter as
  /// one; none if there are more than `most`, or if a learned order is not known as far as it
  /// matters.
  std::optional<std::vector<Hypothesis>> members(int most) const;

  /// Whether one is left, and its order is known as far as it matters.
  bool is_one() const {
    const auto only = members(1);
    return only && only->size() == 1;
  }

  /// `count` survivors (fewer if there are fewer distinct ones), as different as can be: the
  /// simplest first, its neighbours along each open axis, then random ones.
  std::vector<Hypothesis> draw(int count, Rng& rng) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cuvier
