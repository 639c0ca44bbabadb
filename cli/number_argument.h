#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace cuvier {

/// A whole number from low to high, in digits; nothing else is taken for one.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);

/// The seed of a generator: any whole number of 64 bits.
CLI::Validator seed_number();

/// A number of seconds above 0, finite.
CLI::Validator seconds_number();

}  // namespace cuvier
