#include "probes/probe.h"

#include <fmt/format.h>

#include <bit>

#include "probes/error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

constexpr int registers_per_unit = 256;  // the driver allocates a warp's registers in these

struct Fault {
  std::string field;  ///< empty: the kernel as a whole
  std::string what;
};

/// Why it cannot be launched in clusters of so many blocks, if it cannot.
std::optional<Fault> fault_of_cluster(const Kernel& kernel, int cluster, const Device& device) {
  if (device.max_cluster == 0) {
    return Fault{"cluster", fmt::format("{} launches no clusters; leave it out", device.name)};
  }
  if (device.gpc_of_sm.empty()) {
    return Fault{"cluster", fmt::format("a cluster is placed on one GPC, and {} does not give "
                                        "gpc_of_sm: use a device file that has it",
                                        device.name)};
  }
  const int largest = device.largest_cluster();
  if (cluster > largest || !std::has_single_bit(static_cast<unsigned>(cluster))) {
    return Fault{"cluster", fmt::format("{} is no size of a cluster here; powers of two up to {} "
                                        "are",
                                        cluster, largest)};
  }
  if (kernel.blocks % cluster != 0) {
    return Fault{"blocks",
                 fmt::format("{} is no multiple of the cluster's {}", kernel.blocks, cluster)};
  }
  return std::nullopt;
}

/// Why the kernel cannot be launched on the device, if it cannot.
std::optional<Fault> fault_of(const Kernel& kernel, const Device& device) {
  struct Limit {
    const char* field;
    int value;
    int limit;
  };
  for (const auto& [field, value, limit] :
       {Limit{"threads", kernel.threads, device.max_threads_per_block},
        Limit{"registers", kernel.registers, device.max_registers_per_thread},
        Limit{"shared", kernel.shared, device.max_shared_per_block}}) {
    if (value > limit) return Fault{field, fmt::format("{} is over the device's {}", value, limit)};
  }
  const int per_warp =
      (kernel.registers * 32 + registers_per_unit - 1) / registers_per_unit * registers_per_unit;
  const int needed = per_warp * ((kernel.warps() + 3) / 4 * 4);
  if (needed > device.registers_per_sm) {
    return Fault{"",
                 fmt::format("{} threads of {} registers take {} registers, over the device's "
                             "{}; lower either",
                             kernel.threads, kernel.registers, needed, device.registers_per_sm)};
  }
  if (kernel.cluster) return fault_of_cluster(kernel, *kernel.cluster, device);
  return std::nullopt;
}

}  // namespace

std::optional<int> Probe::find(const std::string& kernel) const {
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].name == kernel) return static_cast<int>(i);
  }
  return std::nullopt;
}

void validate(const Probe& probe, const Device& device, const std::string& where) {
  for (const Kernel& kernel : probe.kernels) {
    const std::optional<Fault> fault = fault_of(kernel, device);
    if (!fault) continue;
    const Place place = Place(where).field("kernels").field(kernel.name);
    (fault->field.empty() ? place : place.field(fault->field)).fail(fault->what);
  }
}

bool is_legal(const Kernel& kernel, const Device& device) {
  return !fault_of(kernel, device).has_value();
}

bool same_question(const Probe& a, const Probe& b) {
  return a.kernels == b.kernels && a.script == b.script;
}

}  // namespace cuvier
