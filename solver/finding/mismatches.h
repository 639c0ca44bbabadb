#pragma once

#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/fact.h"

namespace cuvier {

/// A fact that a hypothesis gets wrong.
struct Mismatch {
  std::string recording;  ///< its name
  std::string where;      ///< file and line, where it was read
  Fact fact;
  std::string seen;       ///< the fact in words, without its step and kernel
  std::string predicted;  ///< what the hypothesis says instead, in the same words
  std::string kernel;     ///< the name of the fact's kernel
  Fact instead;           ///< what the hypothesis says
};

/// The facts of these recordings that the hypothesis gets wrong, in order.
std::vector<Mismatch> mismatches(const RecordingSet& set, const Hypothesis& hypothesis);
std::vector<Mismatch> mismatches(const std::vector<RecordingSet>& sets,
                                 const Hypothesis& hypothesis);

/// The facts of one recording that are wrong where this was predicted.
std::vector<Mismatch> mismatches(const Recording& recording, const Observation& predicted);

}  // namespace cuvier
