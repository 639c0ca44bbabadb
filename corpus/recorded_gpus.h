#pragma once

#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// What was recorded of real GPUs, as it is in corpus/: a set for each GPU.
const std::vector<RecordingSet>& recorded_gpus();

}  // namespace cuvier
