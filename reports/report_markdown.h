#pragma once

#include <string>

#include "reports/inference_report.h"

namespace cuvier {

/// What a GPU does, how that is known, and what became of every value, as a page of Markdown.
std::string report_markdown(const InferenceReport& report);

}  // namespace cuvier
