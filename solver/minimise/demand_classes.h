#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/probe.h"

namespace cuvier {

// Demands are finite: warps, registers by what is allocated, and shared memory by 128 bytes,
// which every granularity is a multiple of. Where demands are enumerated, simple ones come
// first: registers in steps of 8 from 16 on, whole KiB.

/// Numbers of registers of which each stands for those that are allocated alike, and give a
/// kernel the same configuration.
std::vector<int> register_classes(const Device& device);

/// Dynamic shared memory likewise.
std::vector<int> shared_classes(const Device& device);

bool is_simple(const Kernel& kernel, const Device& device);

/// Room for another block while n are held, for each n at which one fits.
using Profile = std::vector<int>;

/// What warps and registers alone let an SM hold of a kernel.
Profile warp_profile(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel);

/// How many of its blocks an SM's shared memory holds; `unbounded_blocks` of those that take none.
int blocks_in_shared(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel);
inline constexpr int unbounded_blocks = 1 << 20;

/// What an SM holds of a kernel by all limits.
Profile combined(const Device& device, const Profile& by_warps, int in_shared);

}  // namespace cuvier
