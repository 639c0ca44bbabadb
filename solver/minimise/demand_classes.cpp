#include "solver/minimise/demand_classes.h"

#include <algorithm>

#include "hypotheses/concrete.h"
#include "hypotheses/sm_rules.h"

namespace cuvier {
namespace {

constexpr int threads_per_warp = 32;
constexpr int register_step = 8;  // 256 registers per warp, the finest granularity
constexpr int fewest_registers = 2 * register_step;  // a compiled kernel has hardly fewer
constexpr int shared_step = 128;
constexpr int simple_shared_step = 1024;

bool is_simple_number(int registers, const Device& device) {
  return registers >= fewest_registers &&
         (registers % register_step == 0 || registers == device.max_registers_per_thread);
}

}  // namespace

std::vector<int> register_classes(const Device& device) {
  std::vector<int> classes;
  const auto key = [&](int registers) {
    return std::pair{(registers + register_step - 1) / register_step,
                     device.registers_per_subpartition() / (registers * threads_per_warp)};
  };
  for (int r = 1; r <= device.max_registers_per_thread; ++r) {
    if (r == device.max_registers_per_thread || key(r) != key(r + 1)) classes.push_back(r);
  }
  std::stable_partition(classes.begin(), classes.end(),
                        [&](int r) { return is_simple_number(r, device); });
  return classes;
}

std::vector<int> shared_classes(const Device& device) {
  std::vector<int> classes;
  for (int s = 0; s < device.max_shared_per_block; s += shared_step) classes.push_back(s);
  classes.push_back(device.max_shared_per_block);
  std::stable_partition(classes.begin(), classes.end(),
                        [](int s) { return s % simple_shared_step == 0; });
  return classes;
}

bool is_simple(const Kernel& kernel, const Device& device) {
  return is_simple_number(kernel.registers, device) && kernel.shared % simple_shared_step == 0;
}

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

// They lie side by side from address 0, wherever placement looks, so the number says all; and a
// domain that only this kernel uses is always as it prefers, and accepts it.
int blocks_in_shared(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel) {
  const Concrete domain{hypothesis};
  const OnKernel on{device, kernel};
  const int bytes = evaluate(SharedBytes{on}, domain);
  if (bytes == 0) return unbounded_blocks;
  const bool scoped = hypothesis.get<ConfigScope>() != ConfigScope::none;
  const int config = scoped ? evaluate(PreferredConfig{on}, domain) : device.largest_config();
  return config / bytes;
}

Profile combined(const Device& device, const Profile& by_warps, int in_shared) {
  Profile profile;
  const int most = std::min(static_cast<int>(by_warps.size()), in_shared);
  for (int n = 0; n < most; ++n) {
    profile.push_back(std::min({device.max_blocks_per_sm - n, by_warps[n], in_shared - n}));
  }
  return profile;
}

}  // namespace cuvier
