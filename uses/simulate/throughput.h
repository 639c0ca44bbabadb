#pragma once

#include <vector>

#include "uses/simulate/workload.h"

namespace cuvier {

/// What the blocks of a kernel on one SM do, by how many they are: 0, 1, 2, ...
struct Throughput {
  std::vector<double> speed;   ///< of each, in that of one alone; empty: they go as fast together
  std::vector<double> issues;  ///< instructions a cycle that all of them have to issue; empty: few
};

/// As its throughput says, or else its issue slots, up to so many blocks.
Throughput throughput_of(const Job& job, int most_blocks);

}  // namespace cuvier
