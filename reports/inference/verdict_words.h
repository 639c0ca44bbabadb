#pragma once

#include <string_view>

#include "reports/inference/inference_report.h"

namespace cuvier {

/// What to do where no hypothesis explains what is right.
inline constexpr std::string_view after_refuted =
    "If the answers are right, the rule is one that no hypothesis has. cuvier invent proposes it:\n"
    "the same options, and --resume.";

/// The verdict in a line, and in others what follows from it.
Text verdict_words(const InferenceReport& report);

}  // namespace cuvier
