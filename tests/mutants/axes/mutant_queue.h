#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Not of our scheduler: what a mutated one reads (../mutations.cmake).
struct MutantQueue {
  enum Value { none, interleaved, reversed_after_release, three_in_flight };
  static constexpr AxisValue values[] = {
      {"none", "nothing"},
      {"interleaved",
       "a kernel of more than nine blocks per SM goes to the end of the queue after each"},
      {"reversed_after_release", "from the first release on, the queue is tried from its end"},
      {"three_in_flight", "at most three kernels are on the device"},
  };
  static constexpr AxisTitle title{Part::queue, "mutant_queue", "what is wrong with the queue"};
};

}  // namespace cuvier
