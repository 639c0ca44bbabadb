#pragma once

#include <cstdlib>

namespace cuvier {

/// CUVIER_THOROUGH=1 tests/run: laws that are tried on random draws are tried on three times as
/// many, as before a release; and what takes a minute is tried at all.
inline bool is_thorough() { return std::getenv("CUVIER_THOROUGH") != nullptr; }
inline int drawn(int thoroughly) { return is_thorough() ? thoroughly : (thoroughly + 2) / 3; }

}  // namespace cuvier
