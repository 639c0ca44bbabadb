#pragma once

#include "probes/gpu/gate.h"

namespace cuvier::gpu {

/// Registers that the never-taken path below needs beside the values that it holds. The
/// compiler's report shows that this is a constant for each architecture (tests/kernel).
__host__ __device__ constexpr int path_overhead() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  return 4;
#else
  return 6;
#endif
}

// ptxas gives up registers, to gain occupancy, where that costs only instructions; a cap a
// little above what is wanted keeps it from that.
constexpr int cap_margin = 8;
__host__ __device__ constexpr int capped(int registers) {
  return registers + cap_margin < 255 ? registers + cap_margin : 255;
}

// Below this the gate itself is what needs most registers.
constexpr int fewest_held = 10;

__device__ inline std::uint32_t sm_id() {
  std::uint32_t id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

__device__ inline std::uint32_t warp_slot() {
  std::uint32_t slot;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
  return slot;
}

__device__ inline std::uint64_t device_time_ns() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

/// Between two looks at the gate: awake a warp keeps issuing, asleep it leaves that to others.
__device__ __forceinline__ void rest(const GateArguments& gate) {
  if (!gate.spin) {
    __nanosleep(gate.pause_ns);
    return;
  }
  const std::uint64_t start = device_time_ns();
  while (static_cast<std::int64_t>(device_time_ns() - start) < gate.pause_ns) {
  }
}

/// Records where the block is, says so to the host, and waits to be let go: in its first thread,
/// or where blocks spin in all of them.
__device__ __forceinline__ void pass_gate(const GateArguments& gate) {
  if (threadIdx.x % 32 == 0) {
    gate.warp_slots[blockIdx.x * max_warps_per_block + threadIdx.x / 32] =
        static_cast<std::uint8_t>(warp_slot());
  }
  __syncthreads();  // the slots are written before the block counts as started
  if (threadIdx.x == 0 || gate.spin) {
    volatile BlockRecord* record = gate.records + blockIdx.x;
    const std::uint64_t start = device_time_ns();
    if (threadIdx.x == 0) {
      record->sm = sm_id();
      record->start_ns = start;
      __threadfence_system();
      record->state = BlockState::waiting;
    }

    BlockState end = BlockState::leaving;
    while (static_cast<volatile const std::uint32_t*>(gate.gates)[blockIdx.x] == 0) {
      // Signed: the clock is not promised to go forwards on every architecture.
      if (static_cast<std::int64_t>(device_time_ns() - start) >
          static_cast<std::int64_t>(gate.fail_safe_ns)) {
        end = BlockState::abandoned;
        break;
      }
      rest(gate);
    }
    if (threadIdx.x == 0) record->state = end;
  }
  __syncthreads();
}

/// Needs `Held` registers and a few, in a path that no launch takes: a kernel is given its
/// registers for as long as it runs, whether it comes to use them or not. The loop between
/// reading and using keeps all values alive at once, and using them in the opposite order
/// keeps ptxas from interleaving the two.
template <int Held>
__device__ __forceinline__ void need_registers(volatile std::uint32_t* never) {
  if (never == nullptr) return;
  std::uint32_t held[Held];
#pragma unroll
  for (int i = 0; i < Held; ++i) held[i] = *never;
  while (*never == 0) {
  }
  std::uint32_t mix = *never;
#pragma unroll
  for (int i = Held - 1; i >= 0; --i) mix = mix * held[i] + mix;
  *never = mix;
}

/// Uses exactly `Registers` registers and no local memory.
template <int Registers>
__global__ void __maxnreg__(capped(Registers)) gated(GateArguments gate) {
  constexpr int held = Registers - path_overhead();
  pass_gate(gate);
  if constexpr (held >= fewest_held) need_registers<held>(gate.never);
}

/// The same with a frame of `Frame` bytes of local memory, in use while the block waits.
template <int Registers, int Frame>
__global__ void __maxnreg__(capped(Registers)) gated_frame(GateArguments gate) {
  constexpr int held = Registers - path_overhead();
  constexpr unsigned words = Frame / sizeof(std::uint32_t);
  volatile std::uint32_t frame[words];
  frame[gate.frame_word] = threadIdx.x;
  pass_gate(gate);
  frame[gate.frame_word] = frame[gate.frame_word / 2] + 1;
  if constexpr (held >= fewest_held) need_registers<held>(gate.never);
}

}  // namespace cuvier::gpu
