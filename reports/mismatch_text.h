#pragma once

#include <string>
#include <vector>

#include "solver/finding/finding.h"

namespace cuvier {

/// Facts that a hypothesis gets wrong: the first few of each kind in full; of the rest, how many
/// and where.
std::string mismatches_text(const std::vector<Mismatch>& mismatches, int most_of_kind);

/// "all 3 come with 648 or more blocks of the kernel; of the 97 like them,
/// none is"
std::string pattern_words(const Pattern& pattern);

/// What comes nearest where nothing explains everything, and what it gets wrong.
std::string near_miss_text(const NearMiss& nearest);

}  // namespace cuvier
