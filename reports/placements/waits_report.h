#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hypotheses/scheduler/wait.h"

namespace cuvier {

/// What the wait is for, in words that a CUDA programmer knows; a line for each thing, without an
/// end of line at the last.
std::string wait_words(const Wait& wait, const Probe& probe);

/// What each kernel of a probe that waits waits for, by step; a wait that stays the same is told
/// once. Empty where nothing waits.
std::string waits_text(const std::vector<std::vector<Wait>>& waits, const Probe& probe);

/// {"kernel":NAME,"blocks":N,"for":"stream"|"resident_kernels"|"head_of_queue"|"local_memory"|
/// "room"|"turn"|"cluster",...}: "behind" names a kernel, "refused" says what SMs lack.
nlohmann::ordered_json to_json(const Wait& wait, const Probe& probe);

/// The same with "step", of all steps.
nlohmann::ordered_json waits_json(const std::vector<std::vector<Wait>>& waits, const Probe& probe);

}  // namespace cuvier
