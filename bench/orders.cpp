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

/// What one seed's mixes come to; in per cent.
struct Shares {
  double best = 0;         ///< the recommended order is
  double sooner = 0;       ///< it finishes sooner than the given one
  double later = 0;        ///< or later
  double recommended = 0;  ///< its makespan is over that of the best, on average
  double given = 0;        ///< that of the given one is, on average
  double worst = 0;
};

/// How much less the makespan is than as recorded, on average, in per cent; of the same orders.
struct Gains {
  double given = 0;
  double recommended = 0;
  double best = 0;    ///< each mechanism's own
  double sooner = 0;  ///< share of mixes that finish sooner in the given order
  double later = 0;
};

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

double over(const LaunchOrder& order, const LaunchOrder& other) {
  return 100 * (order.makespan_ms / other.makespan_ms - 1);
}

Shares shares_of(const std::vector<Mix>& measured) {
  Shares shares;
  for (const Mix& mix : measured) {
    const LaunchOrders& orders = mix[0];
    shares.best += !orders.best.is_better_than(orders.recommended);
    shares.sooner += orders.recommended.is_better_than(orders.given);
    shares.later += orders.given.is_better_than(orders.recommended);
    shares.recommended += over(orders.recommended, orders.best) / 100;
    shares.given += over(orders.given, orders.best) / 100;
    shares.worst += over(orders.worst, orders.best) / 100;
  }
  for (double* share : {&shares.best, &shares.sooner, &shares.later, &shares.recommended,
                        &shares.given, &shares.worst}) {
    *share *= 100.0 / mixes;
  }
  return shares;
}

Gains gains_of(const std::vector<Mix>& measured, std::size_t mechanism) {
  Gains gains;
  for (const Mix& mix : measured) {
    const LaunchOrders& relaxed = mix[mechanism];
    gains.given -= over(relaxed.given, mix[0].given) / mixes;
    gains.recommended -= over(relaxed.recommended, mix[0].recommended) / mixes;
    gains.best -= over(relaxed.best, mix[0].best) / mixes;
    gains.sooner += 100.0 * relaxed.given.is_better_than(mix[0].given) / mixes;
    gains.later += 100.0 * mix[0].given.is_better_than(relaxed.given) / mixes;
  }
  return gains;
}

/// The median over seeds, with the least and the most.
template <class Each>
std::string spread(const std::vector<Each>& seeds, double Each::*member) {
  std::vector<double> values;
  for (const Each& each : seeds) values.push_back(each.*member);
  std::ranges::sort(values);
  // Sums that cancel may end a little below 0.
  for (double& value : values) value = std::round(10 * value) / 10 + 0.0;
  return fmt::format("{:.1f} ({:.1f} to {:.1f})", values[values.size() / 2], values[0],
                     values.back());
}

void print_tables(const char* title, bool with_local) {
  std::vector<std::vector<Mix>> measured;
  for (int seed = 1; seed <= seeds; ++seed) measured.push_back(measure(with_local, seed));
  std::vector<Shares> shares;
  for (const auto& each : measured) shares.push_back(shares_of(each));
  fmt::print("\n## {}\n\n| in % | |\n| --- | --- |\n", title);
  const auto row = [&](const char* name, double Shares::*member) {
    fmt::print("| {} | {} |\n", name, spread(shares, member));
  };
  row("mixes whose recommended order is a best one", &Shares::best);
  row("mixes whose recommended order finishes sooner than the given one", &Shares::sooner);
  row("mixes whose recommended order finishes later than the given one", &Shares::later);
  row("makespan of the recommended order over that of the best", &Shares::recommended);
  row("makespan of the given order over that of the best", &Shares::given);
  row("makespan of the worst order over that of the best", &Shares::worst);

  fmt::print(
      "\nHow much less the makespan would be, in %, and of how many mixes in the given order:\n\n"
      "| mechanism | given order | recommended order | best order | % sooner | % later |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (std::size_t m = 1; m < mechanisms.size(); ++m) {
    std::vector<Gains> gains;
    for (const auto& each : measured) gains.push_back(gains_of(each, m));
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", mechanisms[m].name,
               spread(gains, &Gains::given), spread(gains, &Gains::recommended),
               spread(gains, &Gains::best), spread(gains, &Gains::sooner),
               spread(gains, &Gains::later));
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
