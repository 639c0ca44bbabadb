#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Not of our scheduler: what a mutated one reads (../mutations.cmake).
struct MutantShared {
  enum Value { none, half_room, other_gap };
  static constexpr AxisValue values[] = {
      {"none", "nothing"},
      {"half_room", "an SM that holds more than four blocks has half the room"},
      {"other_gap", "from the third block on, the smallest gap is taken"},
  };
  static constexpr AxisTitle title{Part::shared_memory, "mutant_shared",
                                   "what is wrong with shared memory"};
};

}  // namespace cuvier
