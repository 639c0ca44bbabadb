#include "solver/query_selection/formula_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "hypotheses/devices.h"
#include "probes/family.h"

namespace cuvier {
namespace {

/// Or a rule of grids of more than 1,024 blocks would be told only to the nearest number asked.
TEST(FormulaNumbers, AreAskedOfGridsThatADeviceDoesNotHoldAtOnce) {
  const Device device = find_device("t4");
  ASSERT_LT(device.sms * device.max_blocks_per_sm, 1024);
  const FormulaNumbers numbers(std::vector{1024});
  const std::vector<ProbeFamily> families = probe_families(device);
  Rng rng(1);
  bool asked[3] = {};  // one less, the number, one more
  for (int i = 0; i < 400; ++i) {
    const Probe probe = numbers.put_into(pick_from(rng, families).draw(device, rng), device, rng);
    for (const Kernel& kernel : probe.kernels) {
      const int off = kernel.blocks - 1024;
      if (-1 <= off && off <= 1) asked[off + 1] = true;
    }
  }
  EXPECT_TRUE(std::ranges::all_of(asked, std::identity()));
}

}  // namespace
}  // namespace cuvier
