#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hypotheses/assumptions.h"

namespace cuvier {

/// What explains the recordings of such a GPU: "rtx3090-as-recorded" for the GPU of
/// devices/rtx3090.json (known_file_of). None where there is nothing, or where the device's facts
/// do not suffice for it.
std::optional<NamedHypothesis> recorded_model(const Device& device);

/// What may predict a device of which nothing else is known, the likeliest first: what explains
/// its recordings, where there are any; else Algorithm 1, and what explains those of other GPUs, as
/// far as the device's facts suffice.
std::vector<NamedHypothesis> plausible_models(const Device& device);

/// Whether the device's facts suffice for all of the hypothesis's values.
bool suffices_for(const Device& device, const Hypothesis& hypothesis);

/// What --model takes: what `cuvier axes` calls it ("bfa"), or else "queue=skip_ahead".
std::string model_name(const Hypothesis& hypothesis);

}  // namespace cuvier
