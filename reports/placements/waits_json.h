#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "hypotheses/scheduler/wait.h"

namespace cuvier {

/// {"kernel":NAME,"blocks":N,"for":"stream"|"resident_kernels"|"head_of_queue"|"local_memory"|
/// "room"|"turn"|"cluster",...}: "behind" names a kernel, "refused" says what SMs lack.
nlohmann::ordered_json to_json(const Wait& wait, const Probe& probe);

/// The same with "step", of all steps.
nlohmann::ordered_json waits_json(const std::vector<std::vector<Wait>>& waits, const Probe& probe);

}  // namespace cuvier
