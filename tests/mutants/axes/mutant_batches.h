#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Not of our scheduler: what a mutated one reads (../mutations.cmake).
struct MutantBatches {
  enum Value { none, three, early_end };
  static constexpr AxisValue values[] = {
      {"none", "nothing"},
      {"three", "a pick that places two places a third"},
      {"early_end", "pairs end at four blocks left per SM"},
  };
  static constexpr AxisTitle title{Part::batches, "mutant_batches",
                                   "what is wrong with how many blocks a pick places"};
};

}  // namespace cuvier
