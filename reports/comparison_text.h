#pragma once

#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "solver/choose/comparison.h"

namespace cuvier {

/// How two hypotheses compare, for people: the probe, both predictions side by side and where
/// they part; or how it is known that nothing can tell them apart.
std::string comparison_text(const Comparison& comparison, const Device& device, const Hypothesis& a,
                            const Hypothesis& b);

/// Where they part, in a sentence: "step 1, block 3 of k2: SM 6 under A, SM 3 under B".
std::string parting_words(const Distinction& distinction);

/// How often it tells them apart, for one that tells by chance.
std::string likelihood_words(const Likelihood& likelihood);

/// How it is known where it needs no proof; empty otherwise.
std::string plain_reason(const Hypothesis& a, const Hypothesis& b);

/// Headings, then a row for each kernel, with a column for each property that any of them has.
std::vector<std::vector<std::string>> kernel_rows(const Probe& probe);

/// Headings, then both predictions, a row for each step and kernel.
std::vector<std::vector<std::string>> rows_of_both(const Distinction& distinction);

/// "different", "equivalent", "not distinguished" or "undecided".
std::string_view name_of(Comparison::Kind kind);

}  // namespace cuvier
