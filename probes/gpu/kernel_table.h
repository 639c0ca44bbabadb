#pragma once

#include <array>
#include <vector>

#include "probes/device.h"
#include "probes/local_level.h"

/// The gated kernels that there are, and what each claims to use. tests/kernel holds the
/// claims to the compiler's report; the runner believes only cudaFuncGetAttributes.
namespace cuvier::gpu {

// Without local memory there is a kernel for every register count from kFewestRegisters on: so both
// sides of every allocation boundary, whatever the granularity turns out to be.
inline constexpr int most_registers = 255;

/// With local memory: each of these frames (bytes per thread) with each of registers_with_local.
inline constexpr std::array frame_bytes = {16,   32,   48,   64,   80,   96,   112,  128,  192,
                                           256,  320,  384,  448,  512,  768,  1024, 1280, 1536,
                                           1792, 2048, 3072, 4096, 5120, 6144, 7168, 8192};

/// A compiled kernel and what it claims.
struct GatedKernel {
  const void* function = nullptr;
  int registers = 0;
  int local = 0;
};

/// One for each register count, ascending; no local memory.
std::vector<GatedKernel> register_kernels();

/// One for each pair of registers_with_local and frame_bytes.
std::vector<GatedKernel> frame_kernels();

}  // namespace cuvier::gpu
