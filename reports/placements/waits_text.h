#pragma once

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

}  // namespace cuvier
