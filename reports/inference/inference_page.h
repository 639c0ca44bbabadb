#pragma once

#include "reports/document/page.h"
#include "reports/inference/inference_report.h"

namespace cuvier {

/// What a GPU does, how that is known, and what became of every value. The page for browsers has
/// the same of report_json.h, to be walked through.
Page inference_page(const InferenceReport& report);

}  // namespace cuvier
