// The main job over the whole space: wall time, memory and probes, over seeds.

#include "bench/options.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "tests/law/planted.h"

namespace {

using namespace cuvier;

void infer_once(const Device& device, const Hypothesis& planted, std::uint64_t seed) {
  const samples::Folder folder;
  SimulatedOracle oracle("planted", device, planted);
  Journal journal(folder.path("journal"), device, "planted");
  InferenceOptions options;
  options.seed = seed;
  const Finding finding = infer(oracle, journal, Assumptions::all(device), options, {});
  fmt::print("{:>6} {:<11} {:>7} {:>7} {:>10.4g} {:>8.1f}", seed, name_of(finding.verdict),
             finding.probes, finding.telling, finding.count.remaining, finding.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "Inference over the whole space",
                        {{"--devices", "rtx3090,h200", "devices, with commas between them"},
                         {"--planted", "algorithm-1", "the mechanism behind the oracle"},
                         {"--seed", "1", "the first seed"},
                         {"--seeds", "5", "how many"}});
  for (const std::string& name : options.list("--devices")) {
    const Device device = find_device(name);
    fmt::print("{}, {} SMs, {}\n{:>6} {:<11} {:>7} {:>7} {:>10} {:>8} {:>8} {:>9}\n", device.name,
               device.sms, options.text("--planted"), "seed", "verdict", "probes", "telling",
               "left", "seconds", "CPU s", "peak MiB");
    const int first = options.number("--seed");
    for (int seed = first; seed < first + options.number("--seeds"); ++seed) {
      const ProcessUsage usage = usage_of(
          [&] { infer_once(device, hypothesis_from_text(options.text("--planted")), seed); });
      fmt::print(" {:>8.1f} {:>9.0f}\n", usage.cpu_seconds, usage.peak_mib);
    }
    fmt::print("\n");
  }
}
