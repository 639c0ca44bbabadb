#pragma once

#include <optional>
#include <vector>

#include "probes/gpu/kernel_table.h"
#include "probes/probe.h"

namespace cuvier::gpu {

/// The gated kernels as the driver loaded them: what they use is what it says they use.
class KernelShelf {
 public:
  struct Entry {
    GatedKernel claim;
    int registers = 0;  ///< as loaded: what a probe that asks for them gets
    int local = 0;      ///< as loaded: a driver may round up what is claimed and asked for
    int max_threads = 0;
  };

  /// Loads every kernel and lets it have all dynamic shared memory that there is; `carve_out`: how
  /// much of an SM's memory each prefers as shared memory, in percent.
  KernelShelf(const Device& device, std::optional<int> carve_out);

  /// The one that uses exactly these registers and claims exactly this local memory.
  /// Failure(unsupported) names the nearest.
  const Entry& find(const Kernel& kernel) const;

  /// The largest frame that one has, bytes per thread.
  int largest_frame() const;

  /// Of those with that frame the one of the fewest registers.
  const Entry& with_frame(int local) const;

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace cuvier::gpu
