#pragma once

#include "reports/document/page.h"
#include "uses/kit/score.h"

namespace cuvier {

/// Which probes a simulator misses, and what it does instead of the GPU.
Page score_page(const Score& score);

/// The same for programs, every probe listed.
nlohmann::ordered_json score_json(const Score& score);

}  // namespace cuvier
