#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// A C++20 header that needs nothing but the standard library and predicts where this GPU puts
/// blocks (docs/export.md): the definition of the mechanism, and the model's values and the
/// device's facts as constants. Throws Error where these do not suffice for it.
std::string model_header(const Device& device, const Hypothesis& hypothesis);

/// A model and its device as plain facts, for programs that know nothing of axes: what follows from
/// the names in a model.json is spelt out (docs/export.md). It is a model file, too. Throws Error
/// where the device's facts do not suffice for the model.
nlohmann::ordered_json model_facts(const Device& device, const Hypothesis& hypothesis);

}  // namespace cuvier
