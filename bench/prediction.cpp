// Prediction: block placements a second on one core.

#include <ctime>

#include "bench/options.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "tests/law/planted.h"

namespace {

using namespace cuvier;

/// One grid of small blocks that fills the device.
Probe filling(const Device& device) {
  const int blocks = device.sms * std::min(device.max_blocks_per_sm, device.max_warps_per_sm / 2);
  return {"filling", {{"k1", blocks, 64, 32, 0, 0, 0, std::nullopt}}, {{0, {}}}};
}

/// Kernels of all sizes that share the SMs and leave holes, in which others follow.
Probe mixture(const Device& device) {
  Probe probe{"mixture", {}, {}};
  for (int k = 0; k < 8; ++k) {
    probe.kernels.push_back({fmt::format("k{}", k + 1), device.sms * (1 + k % 3), 32 << k % 3,
                             16 + 16 * (k % 2), 2048 * (k % 4), 0, 0, std::nullopt});
    probe.script.push_back({k, {}});
    if (k % 2 == 1) probe.script.push_back({std::nullopt, {{k - 1, {}}}});
  }
  return probe;
}

int placements(const Observation& observation) {
  std::size_t blocks = 0;
  for (const Step& step : observation.steps) {
    for (const Started& started : step.started) blocks += started.block.size();
  }
  return static_cast<int>(blocks);
}

/// Placements a second of processor time: what else runs here does not count.
double rate(const Device& device, const Hypothesis& hypothesis, const Probe& probe, int seconds) {
  Simulator simulator(device, hypothesis);
  const std::clock_t start = std::clock();
  double blocks = 0;
  double elapsed = 0;
  while (elapsed < seconds) {
    blocks += placements(simulator.run(probe));
    elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  return blocks / elapsed;
}

/// Each named value that can be written as a formula, beside that formula: the rate of the first
/// over that of the second, so what the formula costs. Under what makes the axis matter.
void print_formulas(const Device& device, int seconds) {
  fmt::print("{:<52} {:>8} {:>8}\n", "the same as a formula costs, times", "filling", "mixture");
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    Hypothesis base;
    if (info.name == "group_selection") base.set<Hierarchy>(Hierarchy::tpc);
    if (info.name == "pairs_in_flight") base.set<DispatchBatch>(DispatchBatch::pair);
    for (int named = 0; named < named_values(axis); ++named) {
      if (info.values[named].formula.empty() || info.part == Part::clusters) continue;
      const std::string text = fmt::format("{}={}", info.name, info.values[named].formula);
      Hypothesis by_name = base;
      Hypothesis by_formula = base;
      by_name.values[axis] = static_cast<std::uint8_t>(named);
      by_formula.values[axis] = hypothesis_from_text(text).values[axis];
      const auto cost = [&](const Probe& probe) {
        const double named_rate = rate(device, by_name, probe, seconds);
        return named_rate / rate(device, by_formula, probe, seconds);
      };
      fmt::print("{:<52} {:>8.2f} {:>8.2f}\n", text.substr(0, 52), cost(filling(device)),
                 cost(mixture(device)));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "Block placements a second, one core",
                        {{"--device", "h200", "a device"},
                         {"--seconds", "1", "for each figure"},
                         {"--formulas", "no", "yes: what formulas cost, instead"}});
  const Device device = find_device(options.text("--device"));
  if (options.text("--formulas") == "yes") {
    print_formulas(device, options.number("--seconds"));
    return 0;
  }
  fmt::print("{}, {} SMs; million placements a second\n\n{:<44} {:>8} {:>8}\n", device.name,
             device.sms, "hypothesis", "filling", "mixture");
  for (const char* text : {"algorithm-1", "selection=round_robin", "selection=first_fit",
                           "selection=fewest_warps", "selection=least_used", "selection=paired",
                           "hierarchy=tpc", "dispatch_batch=pair", "register_layout=contiguous",
                           "shared_placement=best_fit", "queue=skip_ahead", "gpgpu-sim"}) {
    const Hypothesis hypothesis = hypothesis_from_text(text);
    const int seconds = options.number("--seconds");
    fmt::print("{:<44} {:>8.2f} {:>8.2f}\n", text,
               rate(device, hypothesis, filling(device), seconds) / 1e6,
               rate(device, hypothesis, mixture(device), seconds) / 1e6);
  }
}
