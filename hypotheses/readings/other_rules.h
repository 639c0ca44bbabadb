#pragma once

#include <functional>

#include "hypotheses/hypothesis.h"

namespace cuvier {

/// For some blocks the rules of one SM are another hypothesis's: a mechanism that is none of them.
struct OtherRules {
  Hypothesis hypothesis;
  std::function<bool(int warps, int registers, int shared)> of;  ///< by what a block asks for
};

}  // namespace cuvier
