// An exported header beside our own prediction: block placements a second on one core.

#include <exported_h200.h>

#include <ctime>

#include "bench/options.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"

namespace {

/// Grids of three sizes of block; the earlier ones make room for the later.
constexpr int kKernels = 8;

template <class Kernel>
Kernel kernel_of(int k, int sms) {
  return {.name = fmt::format("k{}", k),
          .blocks = sms * (1 + k % 3),
          .threads = 32 << k % 3,
          .registers = 16 + 16 * (k % 2),
          .shared = 2048 * (k % 4)};
}

std::size_t ours(cuvier::Simulator& simulator, const cuvier::Probe& probe) {
  std::size_t blocks = 0;
  for (const cuvier::Step& step : simulator.run(probe).steps) {
    for (const cuvier::Started& started : step.started) blocks += started.block.size();
  }
  return blocks;
}

std::size_t exported(cuvier_model::Gpu& gpu) {
  std::size_t blocks = 0;
  std::vector<cuvier_model::Release> all;
  for (int k = 0; k < kKernels; ++k) {
    all.push_back({gpu.launch(kernel_of<cuvier_model::Kernel>(k, gpu.device().sms)), {}});
    blocks += gpu.started().size();
    if (k % 2 == 0) continue;
    gpu.release({all[k - 1]});
    blocks += gpu.started().size();
  }
  while (!gpu.idle()) {
    gpu.release(all);
    blocks += gpu.started().size();
  }
  return blocks;
}

/// A second of processor time: what else runs here does not count.
double rate(int seconds, auto&& round) {
  const std::clock_t start = std::clock();
  double blocks = 0;
  double elapsed = 0;
  while (elapsed < seconds) {
    blocks += static_cast<double>(round());
    elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  return blocks / elapsed / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace cuvier;
  const cuvier::Options options(argc, argv, "The exported header and our prediction",
                                {{"--seconds", "1", "for each figure"}});
  const int seconds = options.number("--seconds");
  const Device device = find_device("h200");
  Probe probe{"mixture", {}, {}};
  for (int k = 0; k < kKernels; ++k) {
    probe.kernels.push_back(kernel_of<Kernel>(k, device.sms));
    probe.script.push_back({k, {}});
    if (k % 2 == 1) probe.script.push_back({std::nullopt, {{k - 1, {}}}});
  }
  Simulator simulator(device, {});
  cuvier_model::Gpu gpu;
  fmt::print("{}, algorithm-1; million placements a second\n", device.name);
  fmt::print("predict   {:6.2f}\n", rate(seconds, [&] { return ours(simulator, probe); }));
  fmt::print("exported  {:6.2f}\n", rate(seconds, [&] { return exported(gpu); }));
}
