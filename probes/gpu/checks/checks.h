#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "probes/gpu/run_probe.h"

/// What a session relies on, tried on the device at hand. Each gives a JSON object with `ok` and
/// what it found, which is worth keeping whatever `ok` says. Throws Failure.
namespace cuvier::gpu {

using CheckResult = nlohmann::ordered_json;

/// One block an SM, of most threads, 20 times: every SM named once, warp slots distinct, the same
/// order each time.
CheckResult check_one_block_per_sm(RunnerDevice& device, const Patience& patience);

/// How many different placements `runs` runs of one block per SM show. More than one on a
/// device that should be alone with us hints at other work, or at hidden state.
int distinct_placements(RunnerDevice& device, const Patience& patience, int runs);

/// On a full device a kernel that cannot fit stays away for long, and starts once there is room.
CheckResult check_waiting(RunnerDevice& device, const Patience& patience);

/// Whether 32, 33, 64 and as many as there may be kernels of one block are resident at once:
/// more streams than connections may wait for each other.
CheckResult check_resident_kernels(RunnerDevice& device, const Patience& patience);

/// The device's clock: its step, and whether it ever goes backwards from launch to launch.
CheckResult check_clock(RunnerDevice& device, const Patience& patience);

/// What a kernel that needs another shared-memory configuration waits for: the SM on which a
/// block of a small one is, its TPC, or the whole device.
CheckResult check_carve_out(RunnerDevice& device, const Patience& patience);

/// Blocks of one warp with most registers: how many of each residue (mod the subpartitions) of
/// their warp slots an SM takes. As many of each as a subpartition holds: the residue may be it.
CheckResult check_warp_slots(RunnerDevice& device, const Patience& patience);

/// How many blocks of the kernel an SM holds, by the driver's own calculation.
using Calculator = std::function<int(const Kernel&)>;

/// Blocks resident on an SM against the calculator, for several registers and shared memory.
CheckResult check_occupancy(RunnerDevice& device, const Patience& patience,
                            const Calculator& calculate);

}  // namespace cuvier::gpu
