#pragma once

#include <string>
#include <vector>

#include "reports/document/page.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// A row for each fact that is predicted otherwise.
Table mismatch_table(const std::vector<Mismatch>& mismatches);

/// At most so many facts of each kind; of the others, how many there are in which recordings.
void add_mismatches(Section& section, const std::vector<Mismatch>& mismatches, int most_of_kind);

/// "all 3 come with 648 or more blocks of the kernel; of the 97 like them,
/// none is"
std::string pattern_words(const Pattern& pattern);

/// What comes nearest where nothing explains everything, and what it gets wrong.
Section near_miss_section(const NearMiss& nearest);

}  // namespace cuvier
