#pragma once

#include <string>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// A C++20 header that needs nothing but the standard library and predicts where this GPU puts
/// blocks (docs/howto/export.md): the definition of the mechanism, and the model's values and the
/// device's facts as constants. Throws Error where these do not suffice for it.
std::string model_header(const Device& device, const Hypothesis& hypothesis);

}  // namespace cuvier
