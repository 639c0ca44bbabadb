#include "verify/device.h"

#include <algorithm>

namespace cuvier::verify {

std::string illegal(const Kernel& kernel, const Device& device) {
  if (kernel.threads > device.max_threads_per_block) return "has more threads than a block may";
  if (kernel.registers > device.max_registers_per_thread)
    return "has more registers than a thread may";
  if (kernel.shared > device.max_shared_per_block) return "has more shared memory than a block may";
  if (round_up(kernel.registers * 32L, 256) * round_up(kernel.warps(), 4) >
      device.registers_per_sm) {
    return "needs more registers than an SM has";
  }
  if (kernel.cluster == 0) return {};
  long largest = 0;
  for (const int gpc : device.gpc_of_sm) {
    largest = std::max(largest, std::ranges::count(device.gpc_of_sm, gpc));
  }
  const bool power = (kernel.cluster & (kernel.cluster - 1)) == 0;
  if (!power || kernel.cluster > device.max_cluster || kernel.cluster > largest ||
      kernel.blocks % kernel.cluster != 0) {
    return "has clusters that the device does not launch";
  }
  return {};
}

}  // namespace cuvier::verify
