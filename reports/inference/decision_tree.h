#pragma once

#include <string>

#include "reports/inference/decisions.h"

namespace cuvier {

/// The decisions of an inference, in Graphviz's language: each probe with what it left of the
/// hypotheses and settled by it, beside it the outcomes that were expected of it and not seen. It
/// begins with so many hypotheses, and ends with the verdict and its reason.
std::string decision_tree(const Decisions& decisions, double hypotheses, const std::string& verdict,
                          const std::string& reason);

}  // namespace cuvier
