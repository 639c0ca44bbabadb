// The page docs/policies.md: turnaround and utilisation of schedulers under random load, as Cho and
// Bahn measure them, with the spread over seeds.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "uses/simulate/generator.h"
#include "uses/simulate/simulation.h"

namespace {

using namespace cuvier;

constexpr int sms = 80;
constexpr int slots = 16;
constexpr int seeds = 5;
constexpr double until_ms = 1000;

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

Measured measure(const Policy& policy, const JobRanges& ranges, const Contention& contention,
                 double utilisation) {
  const Device device = plain_device("80 SMs", sms, slots);
  Measured measured;
  for (int seed = 1; seed <= seeds; ++seed) {
    Rng rng(seed);
    const Workload workload =
        random_workload(device, ranges, contention, utilisation, until_ms, rng);
    const Outcome outcome =
        simulate(device, plain_hypothesis(policy.hypothesis), workload, until_ms);
    measured.antt.push_back(outcome.antt());
    measured.utilisation.push_back(100 * outcome.utilisation(device));
  }
  return measured;
}

std::string spread(std::vector<double> values, int digits) {
  std::ranges::sort(values);
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", values[values.size() / 2], digits, values[0],
                     digits, values.back(), digits);
}

void print_tables(const char* title, const JobRanges& ranges, const Contention& contention) {
  constexpr std::array loads = {10, 40, 60, 80, 100, 120, 125};
  std::string antt = fmt::format("\n## {}\n\nANTT:\n\n| load |", title);
  std::string utilisation = "\nUtilisation in %, until the last arrival:\n\n| load |";
  for (std::string* table : {&antt, &utilisation}) {
    for (const Policy& policy : policies) *table += fmt::format(" {} |", policy.name);
    *table += "\n| --- | --- | --- | --- | --- |\n";
  }
  for (const int load : loads) {
    antt += fmt::format("| {} % |", load);
    utilisation += fmt::format("| {} % |", load);
    for (const Policy& policy : policies) {
      const Measured measured = measure(policy, ranges, contention, load / 100.0);
      antt += fmt::format(" {} |", spread(measured.antt, 2));
      utilisation += fmt::format(" {} |", spread(measured.utilisation, 1));
    }
    antt += '\n';
    utilisation += '\n';
  }
  fmt::print("{}{}", antt, utilisation);
}

}  // namespace

int main() {
  fmt::print(
      "# Schedulers under load\n\n"
      "`docs/remake policies` makes this page ([what it says](simulate.md)). {} SMs of {} warp "
      "slots, and nothing else is short; kernels of 12 to 128 blocks of 5 to 20 ms each arrive "
      "within {:.0f} ms, as simtbs generates them for that load. Each number is the median of {} "
      "seeds, with the least and the most. All schedulers are hypotheses of the space, and the "
      "queue is first come, first served.\n",
      sms, slots, until_ms, seeds);
  const JobRanges uniform_demand;
  print_tables("Uniform demand: 1, 2, 4 or 8 warps a block", uniform_demand, {});
  JobRanges biased = uniform_demand;
  biased.warps = {1, 1, 1, 1, 1, 1, 1, 16};
  print_tables("Extremely biased demand: 1 warp a block, and all 16 of one kernel in eight", biased,
               {});
  const Contention contention{
      {{0.1, 0.1}, {0.2, 0.2}, {0.5, 0.3}, {0.7, 0.4}, {0.8, 0.5}, {0.9, 0.6}, {1, 0.7}}};
  print_tables("Uniform demand, and blocks run 1.7 times as long on a full SM (simtbs's template)",
               uniform_demand, contention);
}
