#pragma once

#include <string>

#include "uses/kit/score.h"

namespace cuvier {

/// A score for people: which probes a simulator misses, and what it does instead of the GPU.
std::string score_text(const Score& score);

}  // namespace cuvier
