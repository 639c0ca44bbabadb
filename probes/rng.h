#pragma once

#include <initializer_list>
#include <random>
#include <ranges>
#include <stdexcept>
#include <string>

namespace cuvier {

/// The only source of randomness: seeded by the user, the same on every machine.
using Rng = std::mt19937_64;

/// Uniform in [low, high]. Unlike the standard distributions it draws the same
/// numbers with every standard library. Throws std::logic_error if low is over high.
inline int uniform(Rng& rng, int low, int high) {
  if (low > high) {
    throw std::logic_error("no number is in [" + std::to_string(low) + ", " + std::to_string(high) +
                           "]");
  }
  // The bias of the remainder is below 2^-32 for every range of an int.
  const auto span = static_cast<Rng::result_type>(static_cast<long long>(high) - low + 1);
  return static_cast<int>(low + static_cast<long long>(rng() % span));
}

/// One of the values; there must be one.
template <std::ranges::random_access_range Values>
decltype(auto) pick_from(Rng& rng, Values&& values) {
  return std::ranges::begin(values)[uniform(rng, 0, std::ranges::ssize(values) - 1)];
}

/// One of the listed values.
template <class T>
T pick(Rng& rng, std::initializer_list<T> values) {
  return pick_from(rng, values);
}

}  // namespace cuvier
