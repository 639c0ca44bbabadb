#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/probe.h"
#include "uses/fits/others.h"

namespace cuvier {

/// A grid in waves: as many of its blocks as find a place at once, until all have been there. So it
/// goes where all blocks take equally long.
struct Waves {
  Kernel kernel;
  int at_once = 0;  ///< blocks of it, were its grid as large as that; 0: none finds a place

  int count() const { return at_once == 0 ? 0 : (kernel.blocks + at_once - 1) / at_once; }
  int in_last() const { return at_once == 0 ? 0 : (kernel.blocks - 1) % at_once + 1; }  ///< blocks
};

/// The same work, otherwise cut. Threads in all, registers of each and shared memory of each are as
/// in the kernel.
struct KernelWaves {
  Waves given;
  /// With fewer waves: for each number of them the block size that is next to the kernel's, then
  /// each size of clusters. Where that needs it, the last block or cluster is padded.
  std::vector<Waves> fewer;
};

/// Of a kernel that comes alone, under the hypothesis, to the SMs that are left: what is resident
/// is where the hypothesis puts it; of a number of SMs that are reserved, it is the last ones.
/// Throws Error where the others have no place, or the device's facts do not suffice for the
/// hypothesis.
KernelWaves waves(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel,
                  const Others& others = {});

}  // namespace cuvier
