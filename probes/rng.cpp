#include "probes/rng.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cuvier {

int uniform(Rng& rng, int low, int high) {
  if (low > high) throw std::logic_error(fmt::format("no number is in [{}, {}]", low, high));
  // The bias of the remainder is below 2^-32 for every range of an int.
  const auto span = static_cast<Rng::result_type>(static_cast<long long>(high) - low + 1);
  return static_cast<int>(low + static_cast<long long>(rng() % span));
}

}  // namespace cuvier
