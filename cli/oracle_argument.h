#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "probes/oracle.h"

namespace cuvier {

/// The forms of ORACLE with their meanings, for help texts.
std::string oracle_help();

/// Opens what an ORACLE argument names. Throws Error: told the forms where it has none of
/// them. The seed is that of what a simulated device leaves to chance.
std::unique_ptr<Oracle> open_oracle(const std::string& argument, std::uint64_t seed);

}  // namespace cuvier
