// The page docs/generated/launch-orders.md: what it gains to launch in the recommended order, and
// what a relaxed mechanism would, on random mixes of kernels on an RTX 3090 as recorded.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "probes/family.h"
#include "uses/order/launch_orders.h"

namespace {

using namespace cuvier;

constexpr int seeds = 5;
constexpr int mixes = 40;  // for each seed
constexpr int kernels = 5;

struct Mechanism {
  const char* name;
  const char* hypothesis;
};
constexpr std::array mechanisms = {
    Mechanism{"as recorded", "rtx3090-as-recorded"},
    Mechanism{"`warp_placement=skip_full`", "rtx3090-as-recorded,warp_placement=skip_full"},
    Mechanism{"`warp_placement=least_loaded`", "rtx3090-as-recorded,warp_placement=least_loaded"},
    Mechanism{"`config_gate=space_only`", "rtx3090-as-recorded,config_gate=space_only"},
    Mechanism{"`skip_full` and `space_only`",
              "rtx3090-as-recorded,warp_placement=skip_full,config_gate=space_only"},
};

Workload random_mix(bool with_local, Rng& rng) {
  constexpr std::array local = {0, 0, 64, 512};
  Workload workload;
  for (int k = 0; k < kernels; ++k) {
    Job job;
    job.kernel.name = fmt::format("k{}", k);
    job.kernel.blocks = uniform(rng, 20, 246);
    job.kernel.threads = 32 * uniform(rng, 1, 16);
    job.kernel.registers = 8 * uniform(rng, 2, 8);
    job.kernel.shared = 1024 * uniform(rng, 0, 48);
    if (with_local) job.kernel.local = local[uniform(rng, 0, 3)];
    job.block_ms = uniform(rng, 50, 200) / 10.0;
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

/// Of a mix of kernels, under each mechanism.
using Mix = std::array<LaunchOrders, mechanisms.size()>;

std::vector<Mix> measure(bool with_local, int seed) {
  static const Device device = find_device("rtx3090");
  Rng rng(seed);
  std::vector<Mix> measured(mixes);
  for (Mix& mix : measured) {
    const Workload workload = random_mix(with_local, rng);
    for (std::size_t m = 0; m < mechanisms.size(); ++m) {
      const Hypothesis hypothesis = hypothesis_from_text(mechanisms[m].hypothesis);
      mix[m] = launch_orders(device, hypothesis, workload);
    }
  }
  return measured;
}

/// How much longer an order takes than the other, in per cent.
double over(const LaunchOrder& order, const LaunchOrder& other) {
  return 100 * (order.makespan_ms / other.makespan_ms - 1);
}

double sooner(const LaunchOrder& order, const LaunchOrder& other) {
  return order.is_better_than(other) ? 100 : 0;
}

/// The average over the mixes of a seed: the median over seeds, with the least and the most.
std::string spread(const std::vector<std::vector<Mix>>& measured, const auto& of_mix) {
  std::vector<double> values;
  for (const std::vector<Mix>& mixes : measured) {
    double sum = 0;
    for (const Mix& mix : mixes) sum += of_mix(mix);
    // Sums that cancel may end a little below 0.
    values.push_back(std::round(10 * sum / std::ssize(mixes)) / 10 + 0.0);
  }
  std::ranges::sort(values);
  return fmt::format("{:.1f} ({:.1f} to {:.1f})", values[values.size() / 2], values[0],
                     values.back());
}

void print_tables(const char* title, bool with_local) {
  std::vector<std::vector<Mix>> measured;
  for (int seed = 1; seed <= seeds; ++seed) measured.push_back(measure(with_local, seed));
  fmt::print("\n## {}\n\n| in % | |\n| --- | --- |\n", title);
  const auto row = [&](const char* name, const auto& of_orders) {
    const auto as_recorded = [&](const Mix& mix) { return of_orders(mix[0]); };
    fmt::print("| {} | {} |\n", name, spread(measured, as_recorded));
  };
  using Orders = LaunchOrders;
  row("mixes whose recommended order is a best one",
      [](const Orders& of) { return 100 - sooner(of.best, of.recommended); });
  row("mixes whose recommended order finishes sooner than the given one",
      [](const Orders& of) { return sooner(of.recommended, of.given); });
  row("mixes whose recommended order finishes later than the given one",
      [](const Orders& of) { return sooner(of.given, of.recommended); });
  row("makespan of the recommended order over that of the best",
      [](const Orders& of) { return over(of.recommended, of.best); });
  row("makespan of the given order over that of the best",
      [](const Orders& of) { return over(of.given, of.best); });
  row("makespan of the worst order over that of the best",
      [](const Orders& of) { return over(of.worst, of.best); });

  fmt::print(
      "\nHow much less the makespan would be, in %, and of how many mixes in the given order:\n\n"
      "| mechanism | given order | recommended order | best order | % sooner | % later |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (std::size_t m = 1; m < mechanisms.size(); ++m) {
    const auto less = [&](LaunchOrder LaunchOrders::*order) {
      return spread(measured, [&](const Mix& mix) { return -over(mix[m].*order, mix[0].*order); });
    };
    const auto sooner_with = [&](std::size_t one, std::size_t other) {
      return spread(measured,
                    [&](const Mix& mix) { return sooner(mix[one].given, mix[other].given); });
    };
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", mechanisms[m].name, less(&Orders::given),
               less(&Orders::recommended), less(&Orders::best), sooner_with(m, 0),
               sooner_with(0, m));
  }
}

}  // namespace

int main() {
  fmt::print(
      "# Orders of launches on an RTX 3090\n\n"
      "Generated by `docs/remake launch-orders`; edits here are lost. [What the tables "
      "show](../results/launch-orders.md).\n\n"
      "Each mix is {} kernels, launched at once on an RTX 3090 under `rtx3090-as-recorded`: 20 to "
      "246 blocks of 1 to 16 warps, 16 to 64 registers and 0 to 48 KiB of shared memory, which run "
      "5 to 20 ms each. The given order is random; best and worst are of all orders. Each number "
      "is the median of {} seeds, with the least and the most in brackets; each seed's is the "
      "average of {} mixes.\n",
      kernels, seeds, mixes);
  print_tables("Kernels of the same local memory", false);
  print_tables("Kernels of 0, 64 or 512 bytes of local memory a thread (half of them 0)", true);
}
