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

/// Whose property a trait is.
enum class Whose {
  kernel,    ///< that the fact is about
  launched,  ///< the most, or the least, that any kernel has which was launched by then
  ahead,     ///< of the kernel ahead in its stream; 0 where there is none
  moment,    ///< of when it was
};

/// A property on one side of a threshold.
struct Trait {
  std::string_view property;  ///< "blocks of the kernel"
  Whose whose = Whose::kernel;
  bool at_least = true;  ///< otherwise: at most
  int threshold = 0;
  int Kernel::*field = nullptr;  ///< the property, if it is a quantity of the fact's kernel
};

/// What the facts that a hypothesis gets wrong have in common.
struct Pattern {
  std::vector<Trait> traits;  ///< one, or two where one is also of many facts that it gets right
  int wrong = 0;              ///< facts, all with these
  int right_here = 0;         ///< facts with these that it gets right
  int right = 0;              ///< facts that it gets right, altogether
};

/// The traits that tell the wrong facts from the right ones best; none if even the best are of
/// most of the right ones, too, if there are none to tell from, or for a few facts.
std::optional<Pattern> pattern_of(const FactsToldApart& facts);

/// Probes like those that are wrong, those at the first threshold first, but halfway from it to the
/// nearest value beyond it that is right, or to the next, since a fact may be right by chance: any
/// of them may tell. None where nothing lies between.
std::vector<Probe> halving(const Pattern& pattern, const FactsToldApart& facts,
                           const Device& device);

}  // namespace cuvier
