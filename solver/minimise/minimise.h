#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"
#include "solver/cancellation/task.h"
#include "solver/choose/comparison.h"
#include "solver/minimise/reductions.h"

namespace cuvier {

/// Whether a probe, legal on the device, still has the property.
using Judge = std::function<bool(const Probe&)>;

struct MinimiseOptions {
  std::uint64_t seed = 1;
  int escapes = 20000;  ///< probes tried, beside single reductions, without finding a smaller one
  int most_blocks = std::numeric_limits<int>::max();  ///< of a probe with fewer kernels, too
  Task task;
  std::function<void(const Probe&)> found = [](const Probe&) {};  ///< a smaller one, on the way
};

/// Whether a measure of a probe's size is proved least: no probe without clusters (and of at most
/// `most_blocks`) that has the property is as small in the measures before it, and smaller in this
/// one.
struct Measure {
  bool least = false;
  std::string why;  ///< how that is known, or what stands in the way
};

/// What is known of a probe's size. Every minimised probe is 1-minimal: no single reduction
/// (reductions_of) of it has the property.
struct Minimality {
  Measure kernels;
  Measure actions;
  Measure blocks;
  Measure resources;  ///< the rest of ProbeSize, against probes of simple demands alone
};

struct Minimised {
  Probe probe;
  Minimality least;
  int judged = 0;              ///< probes
  std::string cut_short = {};  ///< why it ended early, if so: it may not even be 1-minimal
};

/// A probe that has the property, as small as could be found: single reductions until none
/// has it (delta debugging as by Zeller and Hildebrandt, Simplifying and isolating failure-inducing
/// input, 2002, whose ddmin ends 1-minimal, too), and seeded escapes from where these end: two
/// kernels made one, mutations, and tiny probes from scratch. Throws Error if the probe does not
/// have the property to begin with.
Minimised minimise(const Probe& probe, const Device& device, const Judge& judge,
                   const MinimiseOptions& options = {});

/// The smallest probe found that tells the hypotheses apart, in a fresh session, by which SM
/// each block starts on. Probes of one kernel are the smallest of all: those of a single launch
/// are searched exhaustively (single_launch.h), then those of one release (one_release.h). What
/// reduction finds beyond that is held against bounds (size_bounds.h). If the task is to
/// end, the smallest by then.
Minimised minimise_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options = {});

/// Whether the two predict that some block starts elsewhere, or in another step; and where.
std::optional<Distinction> distinction_by(const Probe& probe, const Device& device,
                                          const Hypothesis& a, const Hypothesis& b);

}  // namespace cuvier
