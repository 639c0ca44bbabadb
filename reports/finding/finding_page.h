#pragma once

#include <string>
#include <vector>

#include "reports/document/page.h"
#include "solver/finding/finding.h"
#include "solver/infer/inference.h"

namespace cuvier {

/// The verdict, what it rests on, the mechanism, what is still open.
Page finding_page(const Finding& finding);

/// Maps of the device under which a named order explains everything: the first in full, how many
/// others there are, and what would settle it. There must be one.
Section other_maps_section(const Finding& finding);

/// Whether there is anything to tell of it: hypotheses were ruled out, or its runs differ.
bool tells_something(const InferenceStep& step);

/// One line for a probe that was asked: what it brought, and why it was chosen.
std::string step_line(const InferenceStep& step);

/// The axes whose surviving values became fewer: "selection: most_room; tie_break: 2 of 4
/// left"; empty if there are none, or if no hypothesis is left.
std::string narrowed_words(const SurvivingValues& before, const SurvivingValues& after);

/// A row for each fact that is predicted otherwise.
Table mismatch_table(const std::vector<Mismatch>& mismatches);

/// "where it first goes wrong, all 3 come with 648 or more blocks of the kernel; of the 97 like
/// them that it gets right, none does"
std::string pattern_words(const Pattern& pattern);

/// How far what comes nearest is off, and where, in sentences.
std::vector<Text> near_miss_words(const NearMiss& nearest);

/// What comes nearest where nothing explains everything, and what it gets wrong: two facts of each
/// kind, and how many more in which recordings.
Section near_miss_section(const NearMiss& nearest);

}  // namespace cuvier
