#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "hypotheses/devices.h"
#include "probes/family.h"
#include "probes/gpu/kernel_table.h"

namespace cuvier {
namespace {

constexpr int draws = 200;
constexpr int mutations = 5;

bool is_compiled(const Kernel& kernel) {
  if (kernel.local == 0) {
    return kernel.registers >= kFewestRegisters && kernel.registers <= gpu::most_registers;
  }
  return std::ranges::find(registers_with_local, kernel.registers) != registers_with_local.end() &&
         std::ranges::find(gpu::frame_bytes, kernel.local) != gpu::frame_bytes.end();
}

/// A probe that the runner has to refuse is one of few minutes lost.
TEST(AskedKernels, AreAmongTheRunnersOwn) {
  const Device device = find_device("h200");
  Rng rng(1);
  int with_local = 0;
  const std::vector<ProbeFamily> families = all_probe_families(device);
  for (const ProbeFamily& family : families) {
    for (int i = 0; i < draws; ++i) {
      Probe probe = family.draw(device, rng);
      for (int j = 0; j < mutations; ++j) probe = mutate(probe, device, rng);
      for (const Kernel& kernel : probe.kernels) {
        ASSERT_TRUE(is_compiled(kernel)) << family.name << ": " << kernel.registers
                                         << " registers, " << kernel.local << " bytes";
        with_local += kernel.local > 0;
      }
    }
  }
  EXPECT_GT(with_local, draws);
  std::vector<Probe> in_any_case = limit_probes(device);
  std::ranges::copy(sweep_probes(device), std::back_inserter(in_any_case));
  for (const Probe& probe : in_any_case) {
    for (const Kernel& kernel : probe.kernels) EXPECT_TRUE(is_compiled(kernel)) << probe.name;
  }
}

}  // namespace
}  // namespace cuvier
