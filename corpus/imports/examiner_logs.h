#pragma once

#include <string>
#include <vector>

#include "corpus/imports/timeline.h"

namespace cuvier {

/// Logs of cuda_scheduling_examiner, one for each stream of a scenario (JSON: "times", and in
/// these "block_times", the start and end of each block in seconds, "block_smids", and
/// "cuda_launch_times"). Throws Error with file and field; and where the times do not determine
/// what happened (timeline.h). `registers`: per thread, which the logs do not tell.
Imported import_examiner_logs(const std::vector<std::string>& paths, const Device& device,
                              int registers);

}  // namespace cuvier
