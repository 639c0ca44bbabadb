#pragma once

#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/error.h"
#include "uses/partition.h"

namespace cuvier {

/// What is on a device that kernels come to, and stays.
struct Others {
  std::vector<Kernel> resident{};  ///< their blocks are on SMs that are not reserved: on which,
                                   ///< nobody knows
  ReservedSms reserved{};
  std::string where = "resident";  ///< how a message about their blocks begins: file and field

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

/// Where what else is on a device may be, under a hypothesis.
struct Places {
  std::vector<Beside> some;
  bool all = false;  ///< it can be nowhere else
};

/// All, where they are few. Otherwise where the hypothesis puts the blocks that are resident, and
/// where most SMs, or fewest, have some: each SM so many, beginning with the first SM or the last.
/// None where there are more blocks than the device has slots.
Places places_of(const Others& others, const Device& device, const Hypothesis& hypothesis,
                 const std::vector<Kernel>& kernels);

/// What is wrong with others whose blocks cannot all be there.
Error without_place(const Others& others, const Device& device);

}  // namespace cuvier
