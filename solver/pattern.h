#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "probes/fact.h"

namespace cuvier {

struct Mismatch;

/// A fact, and what it is about.
struct FactOfRecording {
  const Recording* recording;
  const Fact* fact;
};

/// What the facts that a hypothesis gets wrong have in common: one property of the kernel or the
/// probe on one side of a threshold.
struct Pattern {
  std::string_view property;  ///< "blocks of the kernel"
  bool at_least = true;       ///< otherwise: at most
  int threshold = 0;
  int wrong = 0;       ///< facts, all on this side
  int right_here = 0;  ///< facts on this side that it gets right
  int right = 0;       ///< facts that it gets right, altogether
};

/// The pattern that tells the wrong facts from the right ones best; none if even the best has
/// most of the right ones on its side too, if there are none to tell from, or for a single fact.
std::optional<Pattern> pattern_of(const std::vector<FactOfRecording>& wrong,
                                  const std::vector<FactOfRecording>& right);

/// The same of the recordings, of whose facts these are wrong: among facts of their kinds.
std::optional<Pattern> pattern_in(const std::vector<RecordingSet>& sets,
                                  const std::vector<Mismatch>& wrong);

}  // namespace cuvier
