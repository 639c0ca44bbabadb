#pragma once

#include <vector>

#include "probes/embedded_file.h"

namespace cuvier {

/// The files of hypotheses/devices/, ascending by name. Defined by a source that the build
/// generates.
const std::vector<EmbeddedFile>& embedded_device_files();

}  // namespace cuvier
