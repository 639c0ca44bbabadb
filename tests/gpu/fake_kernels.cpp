#include "tests/gpu/fake_kernels.h"

#include <array>
#include <vector>

#include "probes/gpu/clusters.h"
#include "probes/gpu/kernel_table.h"
#include "tests/gpu/fake_device.h"

namespace cuvier::gpu {
namespace {

/// A kernel's address, and no more: nobody calls it.
const void* tag() {
  static std::array<char, 1024> tags;
  static std::size_t taken = 0;
  return &tags.at(taken++);
}

}  // namespace

std::vector<GatedKernel> register_kernels() {
  static const std::vector<GatedKernel> kernels = [] {
    std::vector<GatedKernel> all;
    for (int count = kFewestRegisters; count <= most_registers; ++count) {
      all.push_back({tag(), count, 0});
    }
    return all;
  }();
  return kernels;
}

std::vector<GatedKernel> frame_kernels() {
  static const std::vector<GatedKernel> kernels = [] {
    std::vector<GatedKernel> all;
    for (const int count : registers_with_local) {
      for (const int bytes : frame_bytes) all.push_back({tag(), count, bytes});
    }
    return all;
  }();
  return kernels;
}

const void* cluster_kernel() {
  static const void* const kernel = tag();
  return kernel;
}

std::optional<GatedKernel> gated_kernel_at(const void* function) {
  static const std::vector<GatedKernel> all = [] {
    std::vector<GatedKernel> kernels = register_kernels();
    for (const GatedKernel& kernel : frame_kernels()) kernels.push_back(kernel);
    for (GatedKernel& kernel : kernels) {
      kernel.registers = manners().registers_of(kernel.registers);
      kernel.local = manners().frame_of(kernel.local);
    }
    return kernels;
  }();
  for (const GatedKernel& kernel : all) {
    if (kernel.function == function) return kernel;
  }
  return std::nullopt;
}

bool is_kernel(const void* function) {
  return function == cluster_kernel() || gated_kernel_at(function);
}

}  // namespace cuvier::gpu
