#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "probes/fact.h"
#include "solver/finding/mismatches.h"

namespace cuvier {

/// A fact, and what it is about.
struct FactOfRecording {
  const Recording* recording;
  const Fact* fact;
  int before = 0;  ///< recordings of its session before this one
};

/// What a hypothesis gets wrong, and what of the same kinds it gets right. What follows a wrong
/// fact is neither: once a block is elsewhere, so are others.
struct FactsToldApart {
  std::vector<FactOfRecording> wrong;
  std::vector<FactOfRecording> right;
};

/// `wrong` are facts of these recordings that the hypothesis gets wrong; the result refers to both.
/// Of each recording the first counts; of each session, where the hypothesis has hidden state that
/// outlives a probe.
FactsToldApart told_apart(const std::vector<RecordingSet>& sets, const Hypothesis& hypothesis,
                          const std::vector<Mismatch>& wrong);

/// What the facts that a hypothesis gets wrong have in common: one property of the kernel or the
/// probe on one side of a threshold.
struct Pattern {
  std::string_view property;  ///< "blocks of the kernel"
  bool so_far = false;        ///< of any kernel that was launched by then, not of the fact's alone
  bool at_least = true;       ///< otherwise: at most
  int threshold = 0;
  int wrong = 0;                 ///< facts, all on this side
  int right_here = 0;            ///< facts on this side that it gets right
  int right = 0;                 ///< facts that it gets right, altogether
  int Kernel::*field = nullptr;  ///< the property, if it is a quantity of the fact's kernel
};

/// The pattern that tells the wrong facts from the right ones best; none if even the best has
/// most of the right ones on its side too, if there are none to tell from, or for a single fact.
std::optional<Pattern> pattern_of(const FactsToldApart& facts);

/// Probes like those that are wrong, those at the threshold first, but halfway from it to the
/// nearest value beyond it that is right, or to the next, since a fact may be right by chance: any
/// of them may tell. None where nothing lies between.
std::vector<Probe> halving(const Pattern& pattern, const FactsToldApart& facts,
                           const Device& device);

}  // namespace cuvier
