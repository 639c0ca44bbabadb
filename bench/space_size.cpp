// How the time of an inference grows with the space: axes are freed in a random order until
// there are about so many combinations; the others are fixed at the planted mechanism's values.

#include <bit>

#include "bench/options.h"
#include "hypotheses/devices.h"
#include "tests/law/planted.h"

namespace {

using namespace cuvier;

Assumptions about(const Device& device, double combinations, Rng& rng) {
  const Assumptions all = Assumptions::all(device);
  Assumptions some = all;
  std::vector<int> axes;
  for (int axis = 0; axis < kAxes; ++axis) {
    some.allowed[axis] = 1;
    axes.push_back(axis);
  }
  std::ranges::shuffle(axes, rng);
  double size = 1;
  for (const int axis : axes) {
    const double larger = size * std::popcount(all.allowed[axis]);
    // The last axis may overshoot: whichever is nearer on a scale of orders of magnitude.
    if (larger / combinations > combinations / size) continue;
    size = larger;
    some.allowed[axis] = all.allowed[axis];
  }
  return some;
}

void infer_once(const Device& device, const Assumptions& assumptions, int seed) {
  const samples::Folder folder;
  SimulatedOracle oracle("planted", device, {});
  Journal journal(folder.path("journal"), device, "planted");
  InferenceOptions options;
  options.seed = seed;
  const Finding finding = infer(oracle, journal, assumptions, options, {});
  fmt::print("{:>6} {:>13.3g} {:>11.3g} {:>7} {:>6.4g} {:>8.1f}", seed, finding.count.combinations,
             finding.count.initial, finding.probes, finding.count.remaining, finding.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "Time of an inference against the size of the space",
                        {{"--device", "rtx3090", "a device"},
                         {"--sizes", "1e3,1e6,1e9,1e12,1e99", "combinations; 1e99: all"},
                         {"--seeds", "3", "how many choices of free axes for each"}});
  const Device device = find_device(options.text("--device"));
  fmt::print("{}, algorithm-1\n{:>6} {:>13} {:>11} {:>7} {:>6} {:>8} {:>8} {:>9}\n", device.name,
             "seed", "combinations", "hypotheses", "probes", "left", "seconds", "CPU s",
             "peak MiB");
  for (const std::string& size : options.list("--sizes")) {
    for (int seed = 1; seed <= options.number("--seeds"); ++seed) {
      Rng rng(seed);
      const Assumptions assumptions = about(device, std::stod(size), rng);
      const ProcessUsage usage = usage_of([&] { infer_once(device, assumptions, seed); });
      fmt::print(" {:>8.1f} {:>9.0f}\n", usage.cpu_seconds, usage.peak_mib);
    }
  }
}
