#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/inference/inference_report.h"

namespace cuvier {

/// All that is told of an inference, for other programs and for the page (reports/document/html):
/// `model` as in model.json; `sentences`; `axes` with what became of each value; `steps` as in
/// decisions.json, and which of the `recordings` shows each; `matrix`: which recordings contradict
/// the mechanism with one axis changed; `certificate`.
nlohmann::ordered_json report_json(const InferenceReport& report);

}  // namespace cuvier
