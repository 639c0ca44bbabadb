#include "probes/gpu/kernel_shelf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "probes/gpu/clusters.h"
#include "probes/gpu/cuda_check.h"
#include "probes/gpu/failure.h"
#include "probes/gpu/kernel_table.h"

namespace cuvier::gpu {

KernelShelf::KernelShelf(const Device& device, std::optional<int> carve_out) {
  std::vector<GatedKernel> claims = register_kernels();
  for (const GatedKernel& kernel : frame_kernels()) claims.push_back(kernel);
  for (const GatedKernel& claim : claims) {
    const std::string what = fmt::format("load the kernel of {} registers", claim.registers);
    cudaFuncAttributes attributes;
    watched(what, [&] { return cudaFuncGetAttributes(&attributes, claim.function); });
    const auto set = [&](cudaFuncAttribute attribute, int value) {
      watched(what, [&] { return cudaFuncSetAttribute(claim.function, attribute, value); });
    };
    set(cudaFuncAttributeMaxDynamicSharedMemorySize, device.max_shared_per_block);
    if (launches_clusters(device)) set(cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (carve_out) set(cudaFuncAttributePreferredSharedMemoryCarveout, *carve_out);
    entries_.push_back({claim, attributes.numRegs, static_cast<int>(attributes.localSizeBytes),
                        attributes.maxThreadsPerBlock});
  }
}

const KernelShelf::Entry& KernelShelf::find(const Kernel& kernel) const {
  const auto distance = [&](const Entry& entry) {
    // Registers count first: they are what a probe is about more often.
    return std::pair(std::abs(entry.registers - kernel.registers),
                     std::abs(entry.claim.local - kernel.local));
  };
  const Entry& best = *std::ranges::min_element(entries_, {}, distance);
  if (distance(best) == std::pair(0, 0)) {
    if (kernel.threads <= best.max_threads) return best;
    throw Failure(FailureCode::unsupported,
                  fmt::format("{}: the driver allows {} threads with {} registers, not {}",
                              kernel.name, best.max_threads, best.registers, kernel.threads));
  }
  const auto frame_distance = [&](const Entry& entry) {
    return std::pair(std::abs(entry.claim.local - kernel.local),
                     std::abs(entry.registers - kernel.registers));
  };
  const Entry& other = *std::ranges::min_element(entries_, {}, frame_distance);
  const auto words = [](const Entry& entry) {
    return entry.local == entry.claim.local
               ? fmt::format("{} registers with {} bytes", entry.registers, entry.local)
               : fmt::format("{} registers with {} bytes (the driver made {} of them)",
                             entry.registers, entry.claim.local, entry.local);
  };
  throw Failure(
      FailureCode::unsupported,
      fmt::format("{}: no kernel has exactly {} registers and {} bytes of local memory; nearest: "
                  "{}, {}",
                  kernel.name, kernel.registers, kernel.local, words(best), words(other)));
}

int KernelShelf::largest_frame() const {
  const auto frame = [](const Entry& entry) { return entry.claim.local; };
  return frame(*std::ranges::max_element(entries_, {}, frame));
}

const KernelShelf::Entry& KernelShelf::with_frame(int local) const {
  return *std::ranges::min_element(entries_, {}, [&](const Entry& entry) {
    return std::pair(entry.claim.local != local, entry.registers);
  });
}

}  // namespace cuvier::gpu
