#pragma once

#include <random>
#include <vector>

namespace cuvier {

/// The only source of randomness: seeded by the user, the same on every machine.
using Rng = std::mt19937_64;

/// Uniform in [low, high]. Unlike the standard distributions it draws the same
/// numbers with every standard library. Throws std::logic_error if low is over high.
int uniform(Rng& rng, int low, int high);

/// One of the values; there must be one.
template <class T>
const T& pick_from(Rng& rng, const std::vector<T>& values) {
  return values[uniform(rng, 0, static_cast<int>(values.size()) - 1)];
}

}  // namespace cuvier
