#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// A model and its device as plain facts, for programs that know nothing of axes: what follows from
/// the names in a model.json is spelt out (docs/howto/export.md). It is a model file, too. Throws
/// Error where the device's facts do not suffice for the model.
nlohmann::ordered_json model_facts(const Device& device, const Hypothesis& hypothesis);

}  // namespace cuvier
