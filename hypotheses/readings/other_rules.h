#pragma once

#include <functional>
#include <optional>

#include "hypotheses/hypothesis.h"

namespace cuvier {

/// A block that rules of one SM are asked about, as far as the rule knows.
struct JudgedBlock {
  int warps;
  int registers;                   ///< of a thread
  int shared;                      ///< bytes
  int priority = 0;                ///< of its kernel
  std::optional<int> config = {};  ///< of the SM, with the block; bytes
};

/// For some blocks the rules of one SM are another hypothesis's: a mechanism that is none of them.
struct OtherRules {
  Hypothesis hypothesis;
  std::function<bool(const JudgedBlock& block)> of;
};

}  // namespace cuvier
