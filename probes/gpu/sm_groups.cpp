#include "probes/gpu/sm_groups.h"

#include <algorithm>
#include <numeric>

namespace cuvier::gpu {
namespace {

/// One block per SM, then only block `left` of them, then one block per SM that takes all of
/// an SM's shared memory.
Probe conflict(const Device& device, int left) {
  Probe probe{"tpc_mates", {}, {}};
  Kernel small;
  small.name = "small";
  small.blocks = device.sms;
  small.threads = device.max_threads_per_block;  // one block to an SM, and no shared memory
  small.registers = 32;
  Kernel large = small;
  large.name = "large";
  large.threads = 32;
  large.shared = device.max_shared_per_block;
  probe.kernels = {small, large};
  std::vector<int> others;
  for (int block = 0; block < device.sms; ++block) {
    if (block != left) others.push_back(block);
  }
  probe.script = {{0, {}}, {{}, {{0, others}}}, {1, {}}};
  return probe;
}

}  // namespace

SmGroups::SmGroups(int sms) : group_(sms), count_(sms) {
  std::iota(group_.begin(), group_.end(), 0);
}

void SmGroups::join(int a, int b) {
  const auto [stays, goes] = std::minmax({group_[a], group_[b]});
  if (stays == goes) return;
  std::ranges::replace(group_, goes, stays);
  --count_;
}

std::vector<int> SmGroups::group_of_sm() const { return numbered_by_first_sm(group_); }

std::optional<CarveOutConflict> carve_out_conflict(RunnerDevice& device, int block,
                                                   const Patience& patience) {
  const Device& facts = device.facts();
  const Observation seen = run_probe(device, conflict(facts, block), patience);
  const std::vector<Started>& grid = seen.steps[0].started;
  if (grid.size() != 1 || std::ssize(grid[0].sm) != facts.sms) return std::nullopt;
  if (std::set(grid[0].sm.begin(), grid[0].sm.end()).size() != grid[0].sm.size()) {
    return std::nullopt;
  }
  CarveOutConflict conflict{grid[0].sm[block], {grid[0].sm.begin(), grid[0].sm.end()}};
  for (const Started& started : seen.steps[2].started) {
    for (const int sm : started.sm) conflict.refused.erase(sm);
  }
  return conflict;
}

std::vector<int> tpcs_by_carve_out(RunnerDevice& device, const Patience& patience) {
  const Device& facts = device.facts();
  SmGroups groups(facts.sms);
  for (int block = 0; block < facts.sms; ++block) {
    const auto conflict = carve_out_conflict(device, block, patience);
    // A conflict over the whole device, or over a single SM, says nothing of TPCs.
    if (!conflict || !conflict->refused.contains(conflict->sm) ||
        std::ssize(conflict->refused) != facts.sms_per_tpc) {
      return {};
    }
    for (const int sm : conflict->refused) groups.join(conflict->sm, sm);
  }
  if (groups.count() != facts.sms / facts.sms_per_tpc) return {};
  return groups.group_of_sm();
}

}  // namespace cuvier::gpu
