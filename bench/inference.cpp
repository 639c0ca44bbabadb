// The main job over the whole space: wall time, memory and probes, over seeds.

#include <chrono>
#include <thread>

#include "bench/options.h"
#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "tests/law/planted.h"

namespace {

using namespace cuvier;

/// Takes as long to answer as a GPU does.
class SlowOracle : public SimulatedOracle {
 public:
  SlowOracle(const Device& device, const Hypothesis& planted, std::chrono::milliseconds latency)
      : SimulatedOracle("planted", device, planted), latency_(latency) {}

  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::this_thread::sleep_for(latency_);
    return SimulatedOracle::run(probe, repeat);
  }

 private:
  std::chrono::milliseconds latency_;
};

void infer_once(const Device& device, const Options& bench, std::uint64_t seed) {
  const samples::Folder folder;
  SlowOracle oracle(device, hypothesis_from_text(bench.text("--planted")),
                    std::chrono::milliseconds(bench.number("--answer-ms")));
  Journal journal(folder.path("journal"), device, "planted");
  InferenceOptions options;
  options.seed = seed;
  const Finding finding = infer(oracle, journal, Assumptions::all(device), options, {});
  const Spent& spent = finding.spent;
  fmt::print("{:>6} {:<11} {:>7} {:>7} {:>10.4g} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f}",
             seed, name_of(finding.verdict), finding.probes, finding.telling,
             finding.count.remaining, finding.seconds, spent.choosing, spent.waiting, spent.pruning,
             spent.proving);
}

/// Each device, with each number of SMs.
std::vector<Device> devices_of(const Options& options) {
  std::vector<Device> devices;
  for (const std::string& name : options.list("--devices")) {
    const Device device = find_device(name);
    if (options.text("--sms").empty()) devices.push_back(device);
    for (const int sms : options.numbers("--sms")) {
      devices.push_back(device);
      devices.back().sms = sms;
      devices.back().gpc_of_sm.clear();  // it is of the device's own number
    }
  }
  return devices;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv,
                        "Inference over the whole space, and where its time goes. On fewer cores "
                        "than there are: by taskset.",
                        {{"--devices", "rtx3090,h200", "devices, with commas between them"},
                         {"--sms", "", "how many SMs they have, if not their own: 132,264,528"},
                         {"--planted", "algorithm-1", "the mechanism behind the oracle"},
                         {"--answer-ms", "0", "how long the oracle sleeps before each answer"},
                         {"--seed", "1", "the first seed"},
                         {"--seeds", "5", "how many"}});
  for (const Device& device : devices_of(options)) {
    fmt::print(
        "{}, {} SMs, {}\n{:>6} {:<11} {:>7} {:>7} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} "
        "{:>9}\n",
        device.name, device.sms, options.text("--planted"), "seed", "verdict", "probes", "telling",
        "left", "seconds", "choosing", "waiting", "pruning", "proving", "CPU s", "peak MiB");
    const int first = options.number("--seed");
    for (int seed = first; seed < first + options.number("--seeds"); ++seed) {
      const ProcessUsage usage = usage_of([&] { infer_once(device, options, seed); });
      fmt::print(" {:>8.1f} {:>9.0f}\n", usage.cpu_seconds, usage.peak_mib);
    }
    fmt::print("\n");
  }
}
