#pragma once

#include <random>

namespace cuvier {

/// The only source of randomness: seeded by the user, the same on every machine.
using Rng = std::mt19937_64;

/// Uniform in [low, high]. Unlike the standard distributions it draws the same
/// numbers with every standard library. Throws std::logic_error if low is over high.
int uniform(Rng& rng, int low, int high);

}  // namespace cuvier
