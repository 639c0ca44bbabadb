#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "hypotheses/hypothesis.h"
#include "solver/search/comparison.h"
#include "solver/search/reductions.h"

namespace cuvier {

/// Whether a probe, legal on the device, still has the property.
using Judge = std::function<bool(const Probe&)>;

struct MinimiseOptions {
  std::uint64_t seed = 1;
  int escapes = 20000;  ///< probes tried, beside single reductions, without finding a smaller one
  std::function<void(const std::string&)> doing = [](const std::string&) {};
};

/// What is known of a probe's size. Every minimised probe is 1-minimal: no single reduction
/// (reductions_of) of it has the property.
struct Minimality {
  bool kernels = false;  ///< no probe of fewer kernels has the property
  bool actions = false;  ///< nor any of as many kernels and fewer actions
  bool blocks = false;   ///< nor any of as many of both and fewer blocks
  std::string reason;    ///< how the proved ones are known; what was checked of the rest
};

struct Minimised {
  Probe probe;
  Minimality least;
  int judged = 0;  ///< probes
};

/// A probe that has the property, as small as could be found: single reductions until none
/// has it (delta debugging), and seeded escapes from where these end: two kernels made one,
/// mutations, and tiny probes from scratch. Throws Error if the probe does not have the
/// property to begin with.
Minimised minimise(const Probe& probe, const Device& device, const Judge& judge,
                   const MinimiseOptions& options = {});

/// The smallest probe found that tells the hypotheses apart, in a fresh session, by which SM
/// each block starts on. A probe of a single launch is the smallest of all: those are searched
/// exhaustively (single_launch.h).
Minimised minimise_between(const Probe& probe, const Device& device, const Hypothesis& a,
                           const Hypothesis& b, const MinimiseOptions& options = {});

/// Whether the two predict that some block starts elsewhere, or in another step; and where.
std::optional<Distinction> distinction_by(const Probe& probe, const Device& device,
                                          const Hypothesis& a, const Hypothesis& b);

}  // namespace cuvier
