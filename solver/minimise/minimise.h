#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"
#include "solver/cancellation/task.h"
#include "solver/minimise/reductions.h"
#include "solver/query_selection/comparison.h"

namespace cuvier {

/// Whether a probe, legal on the device, still has the property.
using Judge = std::function<bool(const Probe&)>;

struct MinimiseOptions {
  std::uint64_t seed = 1;
  int escapes = 10000;  ///< probes tried, beside single reductions, without finding a smaller one
  int most_blocks = std::numeric_limits<int>::max();  ///< of a probe with fewer kernels, too
  Task task;
};

/// A probe that has the property, and is 1-minimal: no single reduction (reductions_of) of it has.
struct Minimised {
  Probe probe;
  int judged = 0;              ///< probes
  std::string cut_short = {};  ///< why it ended early, if so: then it may not be 1-minimal
};

/// A probe that has the property, as small as could be found: single reductions until none
/// has it (delta debugging as by Zeller and Hildebrandt, Simplifying and isolating failure-inducing
/// input, 2002, whose ddmin ends 1-minimal, too), and seeded escapes from where these end: two
/// kernels made one, mutations, and tiny probes from scratch. If the task is to end, the smallest
/// by then. Throws Error if the probe does not have the property to begin with.
Minimised minimise(const Probe& probe, const Device& device, const Judge& judge,
                   const MinimiseOptions& options = {});

/// The smallest probe found that tells the hypotheses apart, in a fresh session, by which SM
/// each block starts on: one of a single kernel (one_kernel.h) where there seems to be one.
Minimised minimise_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options = {});

/// Puts the smallest probe found that tells them apart in the place of the distinction's, unless
/// that tells by chance. Throws Stopped where the task is to end, once the smallest by then is
/// there.
void make_smaller(Distinction& distinction, const Device& device, const Hypothesis& a,
                  const Hypothesis& b, std::uint64_t seed, const Task& task);

/// Whether the two predict that some block starts elsewhere, or in another step; and where.
std::optional<Distinction> distinction_by(const Probe& probe, const Device& device,
                                          const Hypothesis& a, const Hypothesis& b);

}  // namespace cuvier
