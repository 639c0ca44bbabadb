// Noise planted in a simulated device, and devices that behave as no hypothesis does: how often
// the mechanism is recovered, what that costs, and that no wrong model is ever concluded.

#include "tests/law/noise.h"

#include <algorithm>
#include <map>

#include "bench/options.h"
#include "tests/law/out_of_space.h"
#include "tests/law/planted.h"

namespace {

using namespace cuvier;

struct Total {
  std::map<std::string, int> ends;
  double probes = 0;
  double runs = 0;
  double seconds = 0;
  int inferences = 0;

  void add(const Finding& finding, const std::string& end) {
    ++ends[end];
    ++inferences;
    probes += finding.probes;
    runs += finding.runs;
    seconds += finding.seconds;
  }
  void print(const std::string& what) const {
    if (inferences == 0) return;
    std::string text;
    for (const auto& [end, count] : ends) text += fmt::format("{} {}, ", count, end);
    fmt::print("{:<32} {}{:.1f} probes, {:.1f} runs, {:.1f} s in the mean\n", what, text,
               probes / inferences, runs / inferences, seconds / inferences);
    std::fflush(stdout);
  }
};

Finding run(Oracle& oracle, const Assumptions& assumptions, int repeat, std::uint64_t seed) {
  const samples::Folder folder;
  Journal journal(folder.path("journal"), oracle.device(), "planted");
  InferenceOptions options;
  options.seed = seed;
  options.repeat = repeat;
  return infer(oracle, journal, assumptions, options, {});
}

/// All hypotheses with Algorithm 1's value on some axes: a run takes as long as it has questions.
Assumptions with_fixed(const Device& device, const std::vector<std::string>& axes) {
  Assumptions assumptions = Assumptions::all(device);
  for (const std::string& axis : axes) assumptions.allowed[find_axis(axis).value()] = 1;
  return assumptions;
}

/// "recovered", or how it ended otherwise; a wrong model is told with both mechanisms.
std::string end_of(const Finding& finding, const Device& device, const Hypothesis& planted) {
  if (finding.verdict != Verdict::identified) return std::string(name_of(finding.verdict));
  Rng rng(1);
  const int probes = 200;
  return first_difference(device, planted, *finding.mechanism, probes, rng) < 0 ? "recovered"
                                                                                : "WRONG";
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "Recovery under noise, and from outside the space",
                        {{"--runs", "100", "of each kind of noise"},
                         {"--strange", "10", "of each behaviour outside the space"},
                         {"--fixed",
                          "hierarchy,dispatch_batch,register_layout,config_occupancy,"
                          "config_rounding,shared_granularity,runtime_shared,cursor_reset",
                          "axes of Algorithm 1's value under noise, to take less time"},
                         {"--kinds", "0,1,2,3,4", "of noise"},
                         {"--repeat", "3", "runs of each probe"},
                         {"--seed", "1", "of points, noise and inferences"},
                         {"--show", "1", "whether to tell of every run"}});
  const int repeat = options.number("--repeat");
  const int seed = options.number("--seed");
  const bool show = options.number("--show") != 0;
  const std::vector<std::string> wanted = options.list("--kinds");
  int wrong = 0;
  const auto told = [&](const std::string& what, const std::string& end, const Finding& finding) {
    if (end == "WRONG") ++wrong;
    if (!show && end != "WRONG") return;
    fmt::print("  {}: {}, {}; {} probes, {} runs, {:.1f} s\n", what, end, finding.reason,
               finding.probes, finding.runs, finding.seconds);
    for (const Discarded& each : finding.discarded) {
      if (each.reason != "differs from most") fmt::print("    {} {}\n", each.probe, each.reason);
    }
    if (!finding.clash.empty()) fmt::print("    clash: {}\n", fmt::join(finding.clash, " "));
    std::fflush(stdout);
  };

  struct Kind {
    const char* name;
    int repeat;
    double of_runs;
    double of_probes;
  };
  const int sizes[] = {2, 4, 6, 8, 12, 14};
  const std::vector<std::string> fixed = options.list("--fixed");
  const std::vector<Kind> kinds{{"without noise, without --repeat", 1, 0, 0},
                                {"without noise", repeat, 0, 0},
                                {"one run in ten", repeat, 0.1, 0},
                                {"one probe in twenty", repeat, 0, 0.05},
                                {"both", repeat, 0.1, 0.05}};
  for (const Kind& kind : kinds) {
    const std::string number = std::to_string(&kind - kinds.data());
    if (std::ranges::find(wanted, number) == wanted.end()) continue;
    Total total;
    Rng rng(seed);
    for (int i = 0; i < options.number("--runs"); ++i) {
      const Device device = small_device(sizes[i % std::size(sizes)]);
      Hypothesis planted = i % 4 == 0 ? Hypothesis{} : random_hypothesis(device, rng);
      for (const std::string& axis : fixed) planted.values[find_axis(axis).value()] = 0;
      SimulatedOracle simulated("planted", device, planted);
      NoisyOracle oracle(simulated, {kind.of_runs, kind.of_probes, rng()});
      const Finding finding = run(oracle, with_fixed(device, fixed), kind.repeat, seed * 1000 + i);
      const std::string end = end_of(finding, device, planted);
      total.add(finding, end);
      told(fmt::format("{} {}, {}", i, device.name, describe(planted)), end, finding);
    }
    total.print(kind.name);
  }

  for (const int times : {1, repeat}) {
    Total dead;
    Total room;
    Total skip;
    for (int i = 0; i < options.number("--strange"); ++i) {
      const Device device = small_device(8 + i % 7);
      const auto end = [&](Oracle& oracle, const char* what, Total& total) {
        const Finding finding = run(oracle, Assumptions::all(device), times, seed * 1000 + i);
        const std::string end = finding.verdict == Verdict::identified
                                    ? "WRONG"
                                    : std::string(name_of(finding.verdict));
        total.add(finding, end);
        told(fmt::format("{} {}, repeat {}", i, what, times), end, finding);
      };
      out_of_space::DeadSm no_blocks(device, i % device.sms);
      end(no_blocks, "an SM without blocks", dead);
      out_of_space::ChangedRule<out_of_space::SaturatingRoom> saturating(device, 3 + i % 4);
      end(saturating, "room that saturates", room);
      out_of_space::ChangedRule<out_of_space::SkipByThreshold> skipping(device, 3 + i % 4);
      end(skipping, "skip by a threshold", skip);
    }
    dead.print(fmt::format("an SM without blocks, repeat {}", times));
    room.print(fmt::format("room that saturates, repeat {}", times));
    skip.print(fmt::format("skip by a threshold, repeat {}", times));
  }
  return wrong == 0 ? 0 : 1;
}
