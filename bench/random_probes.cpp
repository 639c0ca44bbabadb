// The yardstick: after how many of the paper's random sequences are how many single-axis
// changes of Algorithm 1 still undetected, and how many probes does cuvier need?

#include "bench/options.h"
#include "tests/law/planted.h"

namespace {

using namespace cuvier;

/// For each change the number of the first probe that shows it, from 1; none: 0.
std::vector<int> detected_by(const Device& device, const std::vector<Hypothesis>& changes,
                             const std::vector<Recording>& recordings) {
  std::vector<int> first(changes.size());
  for (std::size_t c = 0; c < changes.size(); ++c) {
    Simulator expected(device, Hypothesis{});
    Simulator changed(device, changes[c]);
    for (std::size_t i = 0; i < recordings.size() && first[c] == 0; ++i) {
      if (without_channels(expected.replay(recordings[i])) !=
          without_channels(changed.replay(recordings[i]))) {
        first[c] = static_cast<int>(i) + 1;
      }
    }
  }
  return first;
}

void print_detected(const std::string& title, const std::vector<int>& first,
                    const std::vector<Hypothesis>& changes) {
  fmt::print("\n{}\n{:>8} {:>11}\n", title, "probes", "undetected");
  const int last = *std::ranges::max_element(first);
  for (const int probes : {1, 3, 5, 10, 15, 20, 30, 100, 300, 1000, 3000, 10000}) {
    const int shown = std::min(probes, last);
    const auto undetected =
        std::ranges::count_if(first, [&](int number) { return number == 0 || number > shown; });
    fmt::print("{:>8} {:>11}\n", shown, undetected);
    if (probes >= last) break;
  }
  for (std::size_t c = 0; c < changes.size(); ++c) {
    if (first[c] == 0) fmt::print("  never: {}\n", describe(changes[c]));
  }
}

std::vector<Recording> random_sequences(const Device& device, int count, Rng& rng) {
  const auto families = probe_families(device);
  const auto paper = std::ranges::find(families, "paper_random", &ProbeFamily::name);
  std::vector<Recording> recordings(count);
  for (Recording& recording : recordings) recording.probe = paper->draw(device, rng);
  return recordings;
}

std::vector<Recording> inferred(const Device& device, int seed) {
  const samples::Folder folder;
  SimulatedOracle oracle("planted", device, {});
  {
    Journal journal(folder.path("journal"), device, "planted");
    InferenceOptions options;
    options.seed = seed;
    infer(oracle, journal, Assumptions::all(device), options, {});
  }
  return read_recordings(folder.path("journal/journal.jsonl")).recordings;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "Random sequences against chosen probes",
                        {{"--sms", "8", "of the device"},
                         {"--sequences", "1000", "random ones"},
                         {"--seed", "1", "of both"}});
  Device device = small_device(options.number("--sms"));
  device.gpc_of_sm.clear();
  const int seed = options.number("--seed");
  Rng rng(seed);
  const std::vector<Hypothesis> changes = single_axis_changes(device, {}, rng);
  fmt::print("{} single-axis changes of Algorithm 1 on {}, seed {}\n", changes.size(), device.name,
             seed);
  const auto random = random_sequences(device, options.number("--sequences"), rng);
  print_detected("random sequences as in the paper", detected_by(device, changes, random), changes);
  const auto chosen = inferred(device, seed);
  print_detected(fmt::format("cuvier, {} probes in all", chosen.size()),
                 detected_by(device, changes, chosen), changes);
}
