#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/probe.h"

namespace cuvier {

/// What keeps a block off an SM (scheduler.md section 5).
enum class Obstacle {
  block_slots,
  warp_slots,
  warp_slots_of_subpartition,  ///< enough are free on the SM, but not where its warps go
  registers,
  registers_of_subpartition,  ///< enough are free on the SM, but not where its warps go
  carve_out,                  ///< smaller than the kernel prefers, and kept as it is
  small_carve_out,            ///< the largest would have the space
  shared_memory,
  shared_memory_in_pieces,  ///< enough is free, but not in one piece
  rule,                     ///< a formula of `admission`: nothing is scarce
};

/// SMs that refuse a block for the same reasons.
struct Refusal {
  std::vector<int> sms;  ///< ascending
  std::vector<Obstacle> obstacles;
  int carve_out = 0;  ///< bytes, in force on these SMs
  int prefers = 0;    ///< bytes, the kernel that waits
  int set_by = -1;    ///< of a carve-out that is an obstacle: the kernel that chose it

  bool has(Obstacle obstacle) const;
};

/// What a launched kernel that has blocks left waits for.
struct Wait {
  enum class For {
    stream,            ///< `behind` is not complete
    connection,        ///< `behind`, launched through the same, waits itself
    resident_kernels,  ///< as many as the device takes have not completed
    head_of_queue,     ///< `behind`, which waits itself
    local_memory,      ///< the device would have to be idle
    room,              ///< no SM takes a block
    turn,              ///< some SM would, but it is another's turn, which does not
    cluster,           ///< SMs would, but not enough of one GPC
  };

  int kernel = 0;
  int blocks = 0;  ///< without a place
  For what = For::room;
  int behind = -1;             ///< a kernel
  int local = 0;               ///< bytes a thread that the device is set up for
  std::vector<Refusal> sms{};  ///< those that refuse it, where it is tried
};

/// By step of the probe, in a fresh session: what each launched kernel that has blocks left waits
/// for, in launch order. Throws Error where the device's facts do not suffice.
std::vector<std::vector<Wait>> waits(const Device& device, const Hypothesis& hypothesis,
                                     const Probe& probe);

}  // namespace cuvier
