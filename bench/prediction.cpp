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

/// The grid that fills the device, in clusters of four.
Probe clusters(const Device& device) {
  Probe probe = filling(device);
  probe.name = "clusters";
  probe.kernels[0].blocks -= probe.kernels[0].blocks % 4;
  probe.kernels[0].cluster = 4;
  return probe;
}

/// What is asked, by the name of its column; clusters where the device launches some.
std::vector<Probe> probes(const Device& device) {
  std::vector<Probe> probes{filling(device), mixture(device)};
  if (device.largest_cluster() >= 4) probes.push_back(clusters(device));
  return probes;
}

std::string row(const std::string& first, const std::vector<std::string>& cells) {
  std::string text = fmt::format("{:<52}", first.substr(0, 52));
  for (const std::string& cell : cells) text += fmt::format(" {:>8}", cell);
  return text + '\n';
}

std::vector<std::string> names(const Device& device) {
  std::vector<std::string> names;
  for (const Probe& probe : probes(device)) names.push_back(probe.name);
  return names;
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

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "Block placements a second, one core",
                        {{"--device", "h200", "a device"},
                         {"--hypotheses",
                          "algorithm-1,selection=round_robin,selection=first_fit,"
                          "selection=fewest_warps,selection=least_used,selection=paired,"
                          "hierarchy=tpc,dispatch_batch=pair,register_layout=contiguous,"
                          "shared_placement=best_fit,queue=skip_ahead,cluster_sharing=shared,"
                          "gpgpu-sim",
                          "with commas between them"},
                         {"--seconds", "1", "for each figure"}});
  const Device device = find_device(options.text("--device"));
  fmt::print("{}, {} SMs; million placements a second\n\n{}", device.name, device.sms,
             row("hypothesis", names(device)));
  for (const std::string& text : options.list("--hypotheses")) {
    const Hypothesis hypothesis = hypothesis_from_text(text);
    std::vector<std::string> rates;
    for (const Probe& probe : probes(device)) {
      const double placed = rate(device, hypothesis, probe, options.number("--seconds"));
      rates.push_back(fmt::format("{:.2f}", placed / 1e6));
    }
    fmt::print("{}", row(text, rates));
  }
}
