// Black boxes that no hypothesis describes (tests/law/breakers.h): how an inference ends in front
// of each, what fresh sequences say of what it names, and whether its pattern names the right
// thing. As a table in Markdown. "identified" is a false one.

#include "tests/law/breakers.h"

#include <algorithm>
#include <map>

#include "bench/options.h"
#include "hypotheses/devices.h"
#include "solver/finding/mismatches.h"
#include "tests/law/planted.h"

namespace {

using namespace cuvier;

struct End {
  Finding finding;
  int contradicted = 0;  ///< fresh sequences, by what it names
};

/// Random sequences, of which every other one goes on in the session of the one before it.
int contradictions(Oracle& oracle, const Hypothesis& named, int sequences, Rng& rng) {
  Simulator simulator(oracle.device(), named);
  int wrong = 0;
  for (int i = 0; i < sequences; ++i) {
    if (i % 2 == 0) {
      oracle.begin_session();
      simulator.begin_session();
    }
    const Probe probe = random_probe(oracle.device(), rng);
    const Recording recording{probe, oracle.run(probe, 1).front().facts, i % 2 == 0, ""};
    const Observation predicted = simulator.replay(recording);
    wrong += !mismatches(recording, predicted).empty();
  }
  return wrong;
}

/// Ends what explains a refutation as it begins.
Task verdict_alone() {
  return Task([](const std::string& doing) {
    const bool explains =
        doing.ends_with("in a session of its own") || doing.starts_with("looking for what");
    return explains ? "the verdict is enough" : "";
  });
}

End end_of(const breakers::Breaker& breaker, const Device& device, const Assumptions& assumed,
           std::uint64_t seed, int sequences, bool verdict_is_enough) {
  const samples::Folder folder;
  breakers::Broken oracle(device, breaker);
  End end;
  {
    Journal journal(folder.path("journal"), device, oracle.description());
    InferenceOptions options;
    options.seed = seed;
    InferenceListener listener;
    if (verdict_is_enough) listener.task = verdict_alone();
    end.finding = infer(oracle, journal, assumed, options, listener);
  }
  const Finding& finding = end.finding;
  const auto named = finding.mechanism ? finding.mechanism
                     : finding.nearest ? std::optional(finding.nearest->hypothesis)
                                       : std::nullopt;
  Rng rng(seed + 1'000);
  if (named) end.contradicted = contradictions(oracle, *named, sequences, rng);
  return end;
}

/// Whether what it says of the fault is about that property, or a limit where one is broken.
bool names_right(const Finding& finding, const breakers::Breaker& breaker) {
  if (!finding.nearest) return false;
  const auto is_it = [&](std::string_view property) {
    return property == breaker.property ||
           (property == "warps per block" && breaker.property == "threads per block");
  };
  if (const auto& but_for = finding.nearest->but_for) {
    if (but_for->of_limit) return breaker.part == "limits";
    return is_it(but_for->quantity) ||
           but_for->deviation.find(breaker.resource()) != std::string::npos;
  }
  return finding.nearest->pattern &&
         std::ranges::any_of(finding.nearest->pattern->traits, is_it, &Trait::property);
}

std::string pattern_words(const Finding& finding) {
  if (finding.nearest && finding.nearest->but_for) {
    const NearMiss::ButFor& but_for = *finding.nearest->but_for;
    return fmt::format("{}: {} ({} of {} wrong)", but_for.kernels, but_for.deviation, but_for.wrong,
                       but_for.wrong_before);
  }
  if (!finding.nearest || !finding.nearest->pattern) return "-";
  const Pattern& pattern = *finding.nearest->pattern;
  std::string words;
  for (const Trait& trait : pattern.traits) {
    words +=
        fmt::format("{} {} {} ", trait.property, trait.at_least ? ">=" : "<=", trait.threshold);
  }
  return fmt::format("{}[{}/{}]", words, pattern.right_here, pattern.right);
}

std::string join_words(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv, "Black boxes that no hypothesis describes",
                        {{"--device", "rtx3090", "a built-in device"},
                         {"--sms", "82", "so many of its SMs"},
                         {"--assume", "", "AXIS=VALUE, or a hypothesis by name: to confirm alone"},
                         {"--seeds", "3", "inferences in front of each"},
                         {"--fresh", "300", "sequences that what was named is held to"},
                         {"--only", "", "the numbers of the boxes to ask; all by default"},
                         {"--verdicts", "no", "yes: why it is refuted is not looked into"},
                         Options::shard()});
  Device device = find_device(options.text("--device"));
  device.sms = std::min(device.sms, options.number("--sms"));
  if (!device.gpc_of_sm.empty()) device.gpc_of_sm.resize(device.sms);
  if (!device.tpc_of_sm.empty()) device.tpc_of_sm.resize(device.sms);
  Assumptions assumed = Assumptions::all(device);
  if (!options.text("--assume").empty()) assumed.restrict_by(options.text("--assume"));
  const bool verdict_is_enough = options.text("--verdicts") == "yes";
  std::map<Verdict, int> verdicts;
  int named_right = 0;
  int to_name = 0;
  double seconds = 0;
  int probes = 0;
  int runs = 0;
  fmt::print("| | part | breaks | ends | probes | seconds | wrong of {} | pattern | right |\n",
             options.text("--fresh"));
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  const auto& all = breakers::all();
  for (const int i : options.begin_pieces(static_cast<int>(all.size()))) {
    std::vector<std::string> ends, asked, took, wrong, patterns;
    int right = 0;
    for (int seed = 1; seed <= options.number("--seeds"); ++seed) {
      const End end =
          end_of(all[i], device, assumed, seed, options.number("--fresh"), verdict_is_enough);
      const Finding& finding = end.finding;
      ++verdicts[finding.verdict];
      ends.emplace_back(name_of(finding.verdict));
      asked.push_back(std::to_string(finding.probes));
      took.push_back(fmt::format("{:.0f}", finding.seconds));
      wrong.push_back(std::to_string(end.contradicted));
      patterns.push_back(pattern_words(finding));
      seconds += finding.seconds;
      probes += finding.probes;
      ++runs;
      right += names_right(finding, all[i]) ? 1 : 0;
    }
    if (!all[i].property.empty()) {
      named_right += right;
      to_name += static_cast<int>(ends.size());
    }
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", i, all[i].part, all[i].breaks,
               join_words(ends), join_words(asked), join_words(took), join_words(wrong),
               join_words(patterns),
               all[i].property.empty() ? "" : fmt::format("{} of {}", right, ends.size()));
    std::fflush(stdout);
  }
  if (runs == 0) return 2;
  fmt::print("\n{} inferences, {:.0f} probes and {:.1f} s each", runs,
             static_cast<double>(probes) / runs, seconds / runs);
  for (const auto& [verdict, count] : verdicts) fmt::print("; {}: {}", name_of(verdict), count);
  fmt::print("; the pattern named the right thing in {} of {}\n", named_right, to_name);
  return verdicts.contains(Verdict::identified) ? 1 : 0;
}
