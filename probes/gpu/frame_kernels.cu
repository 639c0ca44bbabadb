#include <utility>

#include "probes/gpu/gated_kernel.cuh"
#include "probes/gpu/kernel_table.h"

namespace cuvier::gpu {
namespace {

template <int Registers, int... Index>
void add_frames(std::vector<GatedKernel>& kernels, std::integer_sequence<int, Index...>) {
  (kernels.push_back({reinterpret_cast<const void*>(&gated_frame<Registers, frame_bytes[Index]>),
                      Registers, frame_bytes[Index]}),
   ...);
}

template <int... Index>
std::vector<GatedKernel> kernels_of(std::integer_sequence<int, Index...>) {
  std::vector<GatedKernel> kernels;
  constexpr std::make_integer_sequence<int, frame_bytes.size()> frames;
  (add_frames<registers_with_local[Index]>(kernels, frames), ...);
  return kernels;
}

}  // namespace

std::vector<GatedKernel> frame_kernels() {
  return kernels_of(std::make_integer_sequence<int, registers_with_local.size()>{});
}

}  // namespace cuvier::gpu
