#pragma once

#include <optional>
#include <string>

#include "probes/probe.h"

namespace cuvier {

/// Why a kernel cannot be launched. A header alone, since those that are exported refuse so, too.
struct KernelFault {
  std::string field;  ///< empty: the kernel as a whole
  std::string what;
};

/// Why it cannot be launched in clusters of so many blocks, if it cannot.
inline std::optional<KernelFault> fault_of_cluster(const Kernel& kernel, int cluster,
                                                   const Device& device) {
  if (device.max_cluster == 0) {
    return KernelFault{"cluster", device.name + " launches no clusters; leave it out"};
  }
  if (device.gpc_of_sm.empty()) {
    return KernelFault{"cluster", "a cluster is placed on one GPC, and " + device.name +
                                      " does not give gpc_of_sm: use a device file that has it"};
  }
  const int largest = device.largest_cluster();
  if (cluster < 1 || cluster > largest) {
    return KernelFault{"cluster", std::to_string(cluster) + " is no size of a cluster here; 1 to " +
                                      std::to_string(largest) + " are"};
  }
  if (kernel.blocks % cluster != 0) {
    return KernelFault{"blocks", std::to_string(kernel.blocks) +
                                     " is no multiple of the cluster's " + std::to_string(cluster)};
  }
  return std::nullopt;
}

/// Why the kernel cannot be launched on the device, if it cannot (scheduler.md section 2).
inline std::optional<KernelFault> fault_of(const Kernel& kernel, const Device& device) {
  struct Limit {
    const char* field;
    int value;
    int least;
    int most;
  };
  constexpr int any = 1'000'000'000;
  for (const Limit& limit :
       {Limit{"blocks", kernel.blocks, 1, any},
        Limit{"threads", kernel.threads, 1, device.max_threads_per_block},
        Limit{"registers", kernel.registers, 1, device.max_registers_per_thread},
        Limit{"shared", kernel.shared, 0, device.max_shared_per_block},
        Limit{"local", kernel.local, 0, any}}) {
    const std::string value = std::to_string(limit.value);
    if (limit.value < limit.least) {
      return KernelFault{limit.field, value + " is below " + std::to_string(limit.least)};
    }
    if (limit.value > limit.most) {
      return KernelFault{limit.field,
                         value + " is over the device's " + std::to_string(limit.most)};
    }
  }
  constexpr int unit = 256;  // the driver allocates a warp's registers in these
  const int per_warp = (kernel.registers * 32 + unit - 1) / unit * unit;
  const int needed = per_warp * ((kernel.warps() + 3) / 4 * 4);
  if (needed > device.registers_per_sm) {
    return KernelFault{"", std::to_string(kernel.threads) + " threads of " +
                               std::to_string(kernel.registers) + " registers take " +
                               std::to_string(needed) + " registers, over the device's " +
                               std::to_string(device.registers_per_sm) + "; lower either"};
  }
  if (kernel.cluster) return fault_of_cluster(kernel, *kernel.cluster, device);
  return std::nullopt;
}

}  // namespace cuvier
