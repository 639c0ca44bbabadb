#pragma once

#include <string>

#include "probes/fact.h"

namespace cuvier {

/// Where the blocks of these recordings went, as far as that is known block by block: columns
/// probe, step, kernel, block and sm, a line for each block that starts.
std::string placements_csv(const RecordingSet& set);

}  // namespace cuvier
