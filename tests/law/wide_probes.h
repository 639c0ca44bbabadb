#pragma once

#include <algorithm>
#include <string>

#include "probes/device.h"
#include "probes/family.h"

namespace cuvier {

// Probes that have nothing in common with the families (probes/family.h), by which proofs
// are tried: any numbers, from one block to grids that fill the device twice over, any script.

/// A number of [least, most], each doubling as likely as the next.
inline int log_uniform(Rng& rng, int least, int most) {
  int doublings = 0;
  while (least <= most >> (doublings + 1)) ++doublings;
  const int low = least << uniform(rng, 0, doublings);
  return uniform(rng, low, std::min(most, 2 * low - 1));
}

inline Kernel wide_kernel(const Device& device, int number, Rng& rng) {
  Kernel kernel;
  do {
    kernel.name = "k" + std::to_string(number);
    kernel.blocks = log_uniform(rng, 1, 2 * device.max_blocks_per_sm * device.sms);
    kernel.threads = log_uniform(rng, 1, device.max_threads_per_block);
    kernel.registers =
        uniform(rng, 0, 2) == 0 ? 16 : log_uniform(rng, 16, device.max_registers_per_thread);
    const int most_shared = device.max_shared_per_block;
    kernel.shared =
        uniform(rng, 0, 1) == 0 || most_shared == 0 ? 0 : log_uniform(rng, 1, most_shared);
    kernel.local = uniform(rng, 0, 4) == 0 ? 16 << uniform(rng, 0, 9) : 0;
    kernel.priority = uniform(rng, 0, 3) == 0 ? -1 : 0;
    if (uniform(rng, 0, 5) == 0) kernel.stream = "s";
    kernel.cluster.reset();
    if (device.largest_cluster() > 0 && uniform(rng, 0, 1) == 0) {
      kernel.cluster = log_uniform(rng, 1, device.largest_cluster());
      kernel.blocks = (kernel.blocks + *kernel.cluster - 1) / *kernel.cluster * *kernel.cluster;
    }
  } while (!is_legal(kernel, device));
  return kernel;
}

/// Some blocks of a kernel, or all.
inline Release wide_release(const Kernel& kernel, int index, Rng& rng) {
  Release release{index, {}};
  const int share = uniform(rng, 0, 4);
  for (int block = 0; share > 0 && block < kernel.blocks; ++block) {
    if (uniform(rng, 1, 5) <= share) release.blocks.push_back(block);
  }
  return release;
}

/// A probe of up to five kernels, with up to four releases anywhere after the first launch.
inline Probe wide_probe(const Device& device, Rng& rng) {
  Probe probe{"wide", {}, {}};
  const int kernels = uniform(rng, 1, 5);
  int releases = uniform(rng, 0, 4);
  for (int k = 0; k < kernels; ++k) {
    probe.kernels.push_back(wide_kernel(device, k + 1, rng));
    probe.script.push_back({k, {}});
    while (releases > 0 && (k + 1 == kernels || uniform(rng, 0, 1) == 0)) {
      const int index = uniform(rng, 0, k);
      probe.script.push_back({{}, {wide_release(probe.kernels[index], index, rng)}});
      --releases;
    }
  }
  return probe;
}

}  // namespace cuvier
