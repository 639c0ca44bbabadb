#include "solver/minimise/fillings.h"

#include <algorithm>
#include <set>

#include "hypotheses/readings/concrete.h"
#include "hypotheses/scheduler/sm_rules.h"

namespace cuvier {
namespace {

constexpr int allocated_together = 8;  // registers of a thread

/// By what warps and registers alone allow.
Profile warp_profile(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel) {
  const Concrete domain{hypothesis};
  const OnKernel on{device, kernel};
  WarpFile<Concrete> file;
  Profile profile;
  for (int n = 0; n < device.max_blocks_per_sm && evaluate(FitsWarps{on}, domain, file); ++n) {
    profile.push_back(evaluate(RoomForWarps{on}, domain, file));
    file = evaluate(PlaceWarps{on}, domain, std::move(file));
  }
  return profile;
}

/// How many blocks shared memory holds, up to what the SM has slots for. They lie side by side,
/// and a carve-out that only this kernel uses is as it prefers.
int blocks_in_shared(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel) {
  const Concrete domain{hypothesis};
  const OnKernel on{device, kernel};
  const int bytes = evaluate(SharedBytes{on}, domain);
  if (bytes == 0) return device.max_blocks_per_sm;
  const bool scoped = hypothesis.get<ConfigScope>() != ConfigScope::none;
  const int config = scoped ? evaluate(PreferredConfig{on}, domain) : device.largest_config();
  return std::min(config / bytes, device.max_blocks_per_sm);
}

Profile combined(const Profile& by_warps, int most) {
  Profile profile;
  for (int n = 0; n < most && n < std::ssize(by_warps); ++n) {
    profile.push_back(std::min(by_warps[n], most - n));
  }
  return profile;
}

}  // namespace

Profile profile_of(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel) {
  return combined(warp_profile(device, hypothesis, kernel),
                  blocks_in_shared(device, hypothesis, kernel));
}

std::vector<Filling> fillings(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  std::vector<Filling> fillings;
  const int most_registers = device.max_registers_per_thread;
  for (int threads = kThreadsPerWarp; threads <= device.max_threads_per_block;
       threads += kThreadsPerWarp) {
    for (int r = kFewestRegisters; r < most_registers + allocated_together;
         r += allocated_together) {
      Kernel kernel{"k1", 1, threads, std::min(r, most_registers), 0, 0, 0, std::nullopt};
      if (!is_legal(kernel, device)) continue;
      const Profile warps_a = warp_profile(device, a, kernel);
      const Profile warps_b = warp_profile(device, b, kernel);
      std::set<std::pair<int, int>> seen;
      for (const int step : {1024, 128}) {  // whole KiB where these do
        for (int bytes = 0; bytes <= device.max_shared_per_block; bytes += step) {
          kernel.shared = bytes;
          const int in_a = blocks_in_shared(device, a, kernel);
          const int in_b = blocks_in_shared(device, b, kernel);
          // Beyond what warps allow it makes no difference how many there would be.
          const auto most = [](const Profile& warps) { return static_cast<int>(warps.size()) + 1; };
          if (!seen.insert({std::min(in_a, most(warps_a)), std::min(in_b, most(warps_b))}).second) {
            continue;
          }
          fillings.push_back({kernel, combined(warps_a, in_a), combined(warps_b, in_b)});
        }
      }
    }
  }
  return fillings;
}

}  // namespace cuvier
