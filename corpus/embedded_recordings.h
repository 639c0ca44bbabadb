#pragma once

#include <vector>

#include "probes/embedded_file.h"

namespace cuvier {

/// The recordings of GPUs in corpus/: "rtx3090/wilde". Defined by a source that the build
/// generates.
const std::vector<EmbeddedFile>& embedded_recordings();

}  // namespace cuvier
