#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Not of our scheduler: what a mutated one reads (../mutations.cmake).
struct MutantChoice {
  enum Value { none, tires, avoids_latest };
  static constexpr AxisValue values[] = {
      {"none", "nothing"},
      {"tires", "after 40 picks the order is gone through backwards"},
      {"avoids_latest", "the SM chosen last comes after the others"},
  };
  static constexpr AxisTitle title{Part::choice, "mutant_choice",
                                   "what is wrong with the choice of an SM"};
};

}  // namespace cuvier
