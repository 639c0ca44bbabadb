#include <utility>

#include "probes/gpu/gated_kernel.cuh"
#include "probes/gpu/kernel_table.h"

namespace cuvier::gpu {
namespace {

template <int... Offset>
std::vector<GatedKernel> kernels_of(std::integer_sequence<int, Offset...>) {
  return {{reinterpret_cast<const void*>(&gated<kFewestRegisters + Offset>),
           kFewestRegisters + Offset, 0}...};
}

}  // namespace

std::vector<GatedKernel> register_kernels() {
  return kernels_of(std::make_integer_sequence<int, most_registers - kFewestRegisters + 1>{});
}

}  // namespace cuvier::gpu
