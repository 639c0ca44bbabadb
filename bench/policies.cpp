// The page docs/generated/policies.md: turnaround and utilisation of schedulers under random load,
// as Cho and Bahn measure them, with the spread over seeds.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "probes/rng.h"
#include "uses/simulate/simtbs.h"
#include "uses/simulate/simulation.h"

namespace {

using namespace cuvier;

constexpr int sms = 80;
constexpr int slots = 16;
constexpr int seeds = 5;
constexpr double arrivals_ms = 1000;

struct Policy {
  const char* name;
  const char* hypothesis;
};
constexpr std::array policies = {
    Policy{"round robin, sticky", "selection=sticky_round_robin"},
    Policy{"round robin", "selection=round_robin"},
    Policy{"BFA", "selection=fewest_warps"},
    Policy{"DFA", "selection=most_warps"},
};

struct Measured {
  std::vector<double> antt;
  std::vector<double> utilisation;
};

/// What random jobs are like.
struct JobRanges {
  int fewest_blocks = 12;
  int most_blocks = 128;
  double shortest_ms = 5;  ///< of a block
  double longest_ms = 20;
  std::vector<int> warps = {1, 2, 4, 8};  ///< of a block, each as likely as often as it stands here
  double least_memory = 0;                ///< of a block: Job::block_memory
  double most_memory = 0;
};

/// What blocks are like, and what slows them.
struct Load {
  JobRanges ranges;
  Contention contention{};
  Contention memory_contention{};
};

double uniform_amount(Rng& rng, double low, double high) {
  constexpr int steps = 1'000'000;
  return low + (high - low) * uniform(rng, 0, steps) / steps;
}

/// Jobs that arrive until then, one in a millisecond at most: whenever all before, had all their
/// blocks run at once and as slowly as alone on an SM, had kept less than that share of all warp
/// slots in use so far. So simtbs makes its workloads.
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

Measured measure(const Policy& policy, const Load& load, double utilisation, double until_ms) {
  const Device device = plain_device("80 SMs", sms, slots);
  Measured measured;
  for (int seed = 1; seed <= seeds; ++seed) {
    Rng rng(seed);
    Workload workload =
        random_workload(device, load.ranges, load.contention, utilisation, until_ms, rng);
    workload.memory_contention = load.memory_contention;
    const WorkloadOutcome outcome =
        simulate(device, plain_hypothesis(policy.hypothesis), workload, until_ms);
    measured.antt.push_back(outcome.antt(times_alone(device, plain_hypothesis("bfa"), workload)));
    measured.utilisation.push_back(100 * outcome.utilisation(device));
  }
  return measured;
}

std::string spread(std::vector<double> values, int digits) {
  std::ranges::sort(values);
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", values[values.size() / 2], digits, values[0],
                     digits, values.back(), digits);
}

/// ANTT and utilisation, a row for each of these: `measured` says what of a policy.
void print_tables(const std::string& title, const char* unit, const std::vector<int>& rows,
                  const std::function<Measured(const Policy&, int)>& measured) {
  const bool is_load = unit == std::string_view("%");
  std::string antt = fmt::format("\n## {}\n\nANTT:\n\n", title);
  std::string utilisation = "\nUtilisation in %, until the last arrival:\n\n";
  for (std::string* table : {&antt, &utilisation}) {
    *table += is_load ? "| load |" : "| for |";
    for (const Policy& policy : policies) *table += fmt::format(" {} |", policy.name);
    *table += "\n| --- | --- | --- | --- | --- |\n";
  }
  for (const int row : rows) {
    antt += fmt::format("| {} {} |", row, unit);
    utilisation += fmt::format("| {} {} |", row, unit);
    for (const Policy& policy : policies) {
      const Measured each = measured(policy, row);
      antt += fmt::format(" {} |", spread(each.antt, 2));
      utilisation += fmt::format(" {} |", spread(each.utilisation, 1));
    }
    antt += '\n';
    utilisation += '\n';
  }
  fmt::print("{}{}", antt, utilisation);
}

void print_by_load(const char* title, const Load& load) {
  print_tables(title, "%", {10, 40, 60, 80, 100, 120, 125}, [&](const Policy& policy, int percent) {
    return measure(policy, load, percent / 100.0, arrivals_ms);
  });
}

/// Behind saturation nothing has a value of its own: it grows for as long as kernels arrive.
void print_by_duration(const char* demand, const Load& load, int percent) {
  print_tables(fmt::format("{} at {} % of load, by how long kernels arrive", demand, percent), "ms",
               {30, 100, 300, 1000, 3000}, [&](const Policy& policy, int until_ms) {
                 return measure(policy, load, percent / 100.0, until_ms);
               });
}

}  // namespace

int main() {
  fmt::print(
      "# Schedulers under load\n\n"
      "Generated by `docs/remake policies`; edits here are lost. [What the tables "
      "show](../results/policies.md).\n\n"
      "{} SMs of {} warp slots; nothing else is ever full. Kernels of 12 to 128 blocks of 5 to 20 "
      "ms each arrive within {:.0f} ms, as simtbs generates them for that load. Each number is the "
      "median of {} seeds, with the least and the most in brackets. All schedulers are hypotheses "
      "of cuvier, and the queue is first come, first served. ANTT is turnaround over the time "
      "alone under BFA, whatever the policy.\n",
      sms, slots, arrivals_ms, seeds);
  const JobRanges uniform_demand;
  print_by_load("Uniform demand: 1, 2, 4 or 8 warps a block", {uniform_demand});
  JobRanges biased = uniform_demand;
  biased.warps = {1, 1, 1, 1, 1, 1, 1, 16};
  print_by_load("Extremely biased demand: 1 warp a block, and all 16 of one kernel in eight",
                {biased});
  const Contention contention{
      {{0.1, 0.1}, {0.2, 0.2}, {0.5, 0.3}, {0.7, 0.4}, {0.8, 0.5}, {0.9, 0.6}, {1, 0.7}}};
  print_by_load("Uniform demand, and blocks run 1.7 times as long on a full SM (simtbs's template)",
                {uniform_demand, contention});
  // 20 to 30 of 15,000 on 16 SMs of 8 slots; here are ten times as many.
  JobRanges with_memory = uniform_demand;
  with_memory.least_memory = 20.0 / 150000;
  with_memory.most_memory = 30.0 / 150000;
  const Contention memory{{{0.7, 8.4}, {0.9, 13.2}, {1, 14}}};
  print_by_load("Uniform demand, and both contentions of simtbs's template, that of memory too",
                {with_memory, contention, memory});
  print_by_duration("Uniform demand", {uniform_demand}, 80);
  print_by_duration("Uniform demand", {uniform_demand}, 125);
  print_by_duration("Extremely biased demand", {biased}, 120);
}
