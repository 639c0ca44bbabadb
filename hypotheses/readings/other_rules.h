#pragma once

#include <functional>

#include "hypotheses/hypothesis.h"

namespace cuvier {

/// For some blocks the rules of one SM are another hypothesis's: a mechanism that is none of them.
struct OtherRules {
  Hypothesis hypothesis;
  /// By what a block asks for, and its kernel's priority where the rule knows that; else 0.
  std::function<bool(int warps, int registers, int shared, int priority)> of;
};

}  // namespace cuvier
