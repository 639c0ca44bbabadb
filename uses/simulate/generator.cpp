#include "uses/simulate/generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/assumptions.h"

namespace cuvier {
namespace {

double uniform_amount(Rng& rng, double low, double high) {
  constexpr int steps = 1'000'000;
  return low + (high - low) * uniform(rng, 0, steps) / steps;
}

}  // namespace

Workload random_workload(const Device& device, const JobRanges& ranges,
                         const Contention& contention, double utilisation, double until_ms,
                         Rng& rng) {
  Workload workload{{}, contention};
  const double slots = static_cast<double>(device.sms) * device.max_warps_per_sm;
  double wanted = 0;  // warp slots in use over time
  double given = 0;
  std::vector<std::pair<double, double>> in_use;  // until when, how many
  for (double now = 0; now < until_ms; ++now) {
    std::erase_if(in_use, [&](const auto& job) { return job.first <= now; });
    for (const auto& [end, warps] : in_use) given += warps * std::min(1.0, end - now);
    wanted += utilisation * slots;
    if (given > wanted) continue;
    Job job;
    job.kernel.name = fmt::format("k{}", workload.jobs.size());
    job.kernel.blocks = uniform(rng, ranges.fewest_blocks, ranges.most_blocks);
    const int warps = ranges.warps[uniform(rng, 0, static_cast<int>(ranges.warps.size()) - 1)];
    job.kernel.threads = 32 * warps;
    job.kernel.registers = 16;
    job.block_ms = uniform_amount(rng, ranges.shortest_ms, ranges.longest_ms);
    if (ranges.most_memory > 0) {
      job.block_memory = uniform_amount(rng, ranges.least_memory, ranges.most_memory);
    }
    job.arrival_ms = now;
    const double share = static_cast<double>(warps) / device.max_warps_per_sm;
    in_use.emplace_back(now + job.block_ms * (1 + contention.added(share)),
                        job.kernel.blocks * warps);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

Device plain_device(const std::string& name, int sms, int warps_per_sm) {
  Device device;
  device.name = name;
  device.architecture = "sm_70";
  device.sms = sms;
  device.max_blocks_per_sm = warps_per_sm;
  device.max_warps_per_sm = warps_per_sm;
  device.registers_per_sm = std::max(65536, 512 * warps_per_sm);  // at 16 for each thread
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
