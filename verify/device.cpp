#include "verify/device.h"

#include <algorithm>
#include <map>

namespace cuvier::verify {

std::vector<std::vector<int>> groups_by(const std::vector<int>& labels) {
  std::vector<std::vector<int>> groups;
  std::map<int, std::size_t> group_of_label;
  for (std::size_t sm = 0; sm < labels.size(); ++sm) {
    const auto [at, is_new] = group_of_label.emplace(labels[sm], groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(static_cast<int>(sm));
  }
  return groups;
}

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
  std::size_t largest = 0;
  for (const auto& gpc : groups_by(device.gpc_of_sm)) largest = std::max(largest, gpc.size());
  const bool power = (kernel.cluster & (kernel.cluster - 1)) == 0;
  if (!power || kernel.cluster > device.max_cluster || kernel.cluster > static_cast<int>(largest) ||
      kernel.blocks % kernel.cluster != 0) {
    return "has clusters that the device does not launch";
  }
  return {};
}

}  // namespace cuvier::verify
