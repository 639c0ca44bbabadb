#include "uses/simulate/generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/assumptions.h"

namespace cuvier {
namespace {

double uniform_ms(Rng& rng, double low, double high) {
  constexpr int steps = 1'000'000;
  return low + (high - low) * uniform(rng, 0, steps) / steps;
}

}  // namespace

Workload random_workload(const Device& device, const JobRanges& ranges,
                         const Contention& contention, double utilisation, double until_ms,
                         Rng& rng) {
  Workload workload{{}, contention};
  double warp_ms = utilisation * device.sms * device.max_warps_per_sm * until_ms;
  while (warp_ms > 0) {
    Job job;
    job.kernel.name = fmt::format("k{}", workload.jobs.size());
    job.kernel.blocks = uniform(rng, ranges.fewest_blocks, ranges.most_blocks);
    const int warps = ranges.warps[uniform(rng, 0, static_cast<int>(ranges.warps.size()) - 1)];
    job.kernel.threads = 32 * warps;
    job.kernel.registers = 16;
    job.block_ms = uniform_ms(rng, ranges.shortest_ms, ranges.longest_ms);
    job.arrival_ms = uniform_ms(rng, 0, until_ms);
    const double share = static_cast<double>(warps) / device.max_warps_per_sm;
    warp_ms -= job.kernel.blocks * warps * job.block_ms * (1 + contention.added(share));
    workload.jobs.push_back(std::move(job));
  }
  std::ranges::stable_sort(workload.jobs, {}, &Job::arrival_ms);
  return workload;
}

Device plain_device(const std::string& name, int sms, int warps_per_sm) {
  Device device;
  device.name = name;
  device.architecture = "sm_70";
  device.sms = sms;
  device.max_blocks_per_sm = warps_per_sm;
  device.max_warps_per_sm = warps_per_sm;
  device.shared_configs = {0, 98304};
  device.max_shared_per_block = 98304;
  device.max_resident_kernels = 1'000'000;
  return device;
}

Hypothesis plain_hypothesis(const std::string& text) {
  Hypothesis hypothesis = hypothesis_from_text(text);
  hypothesis.set<WarpPlacement>(WarpPlacement::skip_full);
  hypothesis.set<ConfigScope>(ConfigScope::none);
  hypothesis.set<RuntimeShared>(RuntimeShared::b0);
  hypothesis.set<TieBreak>(TieBreak::linear);
  hypothesis.set<CursorReset>(CursorReset::never);
  return hypothesis;
}

}  // namespace cuvier
