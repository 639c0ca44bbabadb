#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Not of our scheduler: what a mutated one reads (../mutations.cmake).
struct MutantWarps {
  enum Value { none, restarts_at_five, moves_on_release, backwards, no_room_at_eight };
  static constexpr AxisValue values[] = {
      {"none", "nothing"},
      {"restarts_at_five", "the fifth block of an SM sends the pointer back"},
      {"moves_on_release", "a release that leaves three blocks moves the pointer"},
      {"backwards", "blocks of more than 8 warps have their warps placed in the opposite order"},
      {"no_room_at_eight", "an SM that holds eight blocks has no room"},
  };
  static constexpr AxisTitle title{Part::warps, "mutant_warps",
                                   "what is wrong with warps and registers"};
};

}  // namespace cuvier
