#pragma once

#include <string>

#include "reports/document/page.h"
#include "solver/finding/finding.h"
#include "solver/infer/inference.h"

namespace cuvier {

/// The verdict, what it rests on, the mechanism, what is still open.
Page finding_page(const Finding& finding);

/// One line for a probe that was asked: what it brought, and why it was chosen.
std::string step_line(const InferenceStep& step);

/// The axes whose surviving values became fewer: "selection: most_room; tie_break: 2 of 4
/// left"; empty if there are none, or if no hypothesis is left.
std::string narrowed_words(const SurvivingValues& before, const SurvivingValues& after);

}  // namespace cuvier
