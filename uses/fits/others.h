#pragma once

#include <vector>

#include "uses/partition.h"

namespace cuvier {

/// What is on a device that kernels come to, and stays.
struct Others {
  std::vector<Kernel> resident{};  ///< their blocks are on SMs that are not reserved: on which,
                                   ///< nobody knows
  ReservedSms reserved{};

  bool none() const { return resident.empty() && reserved.count == 0; }
};

/// One way in which it may be there.
struct Beside {
  struct Block {
    int kernel = 0;  ///< index into Others::resident
    int sm = 0;
  };

  std::vector<int> reserved_sms{};
  std::vector<Kernel> resident{};
  std::vector<Block> blocks{};  ///< of these, in the order in which they came
};

}  // namespace cuvier
