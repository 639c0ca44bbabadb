#pragma once

#include <string>

#include "hypotheses/hypothesis.h"
#include "solver/query_selection/comparison.h"

namespace cuvier {

/// Where they part, in a sentence: "step 1, block 3 of k2: SM 6 under A, SM 3 under B".
std::string parting_words(const Distinction& distinction);

/// How often it tells them apart, for one that tells by chance.
std::string likelihood_words(const Likelihood& likelihood);

/// How it is known where it needs no proof; empty otherwise.
std::string plain_reason(const Hypothesis& a, const Hypothesis& b);

/// "different", "equivalent", "not distinguished" or "undecided".
std::string_view name_of(Comparison::Kind kind);

}  // namespace cuvier
