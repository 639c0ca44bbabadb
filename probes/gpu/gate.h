#pragma once

#include <cstdint>

/// What host and device share about gated blocks. Read by nvcc and by the host's compiler.
namespace cuvier::gpu {

/// How far a block has come; written by the block, in mapped host memory.
enum class BlockState : std::uint32_t {
  absent = 0,     ///< not started
  waiting = 1,    ///< resident: SM, start time and warp slots are recorded
  leaving = 2,    ///< its gate opened; exits at once
  abandoned = 3,  ///< its gate stayed shut for the fail-safe's time; exits at once
};

struct BlockRecord {
  std::uint64_t start_ns;  ///< %globaltimer
  std::uint32_t sm;        ///< %smid
  BlockState state;
};

inline constexpr int max_warps_per_block = 32;

/// A gated kernel's argument. All arrays start at this kernel's block 0.
struct GateArguments {
  BlockRecord* records;
  std::uint8_t* warp_slots;    ///< max_warps_per_block per block: %warpid of each warp
  const std::uint32_t* gates;  ///< per block; not 0: open
  std::uint64_t fail_safe_ns;  ///< a block leaves by itself this long after its start
  std::uint32_t pause_ns;      ///< between two looks at the gate
  bool spin;                   ///< whether a block's warps are busy meanwhile, or asleep
  std::uint32_t frame_word;    ///< which word of a frame is used; not known when compiling
  std::uint32_t* never;        ///< always null: see gated_kernel.cuh
};

}  // namespace cuvier::gpu
