#pragma once

#include <vector>

#include "probes/embedded_file.h"
#include "probes/fact.h"

namespace cuvier {

/// What was recorded of real GPUs, as it is in corpus/: a set for each GPU.
const std::vector<RecordingSet>& recorded_gpus();

/// The recordings of GPUs in corpus/: "rtx3090/wilde". Defined by a source that the build
/// generates.
const std::vector<EmbeddedFile>& embedded_recordings();

}  // namespace cuvier
