#pragma once

#include <string>
#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// Reads recording files, all of one device. Throws Error that names the field where they are
/// not.
std::vector<RecordingSet> read_sets(const std::vector<std::string>& paths);

}  // namespace cuvier
