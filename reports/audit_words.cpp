#include "reports/audit_words.h"

#include <fmt/format.h>

#include "reports/comparison_text.h"
#include "reports/minimised_text.h"
#include "reports/words.h"
#include "solver/minimise/reductions.h"

namespace cuvier {

std::string value_words(int axis, int value) {
  return fmt::format("{}={}", axis_info(axis).name, axis_info(axis).values[value].name);
}

std::string_view words_of(Support support) {
  switch (support) {
    case Support::supported:
      return "supported";
    case Support::supported_given_rest:
      return "supported, given the rest";
    case Support::untested:
      return "untested";
    case Support::contradicted:
      return "contradicted";
    case Support::excluded:
      return "ruled out by an assumption, not by a fact";
    case Support::irrelevant:
      return "makes no difference";
    case Support::taken_for_granted:
      return "taken for granted";
    case Support::undecided:
      break;
  }
  return "undecided";
}

std::string fact_words(const Fact& fact, const Probe& probe) {
  const bool lists = fact.kind == Fact::Kind::sm || fact.kind == Fact::Kind::sm_set;
  if (!lists || fact.values.empty()) {
    return describe(fact, probe).substr(place_words(fact, probe).size() + 2);
  }
  return fmt::format("starts on SMs {}{}", runs_words(fact.values),
                     fact.kind == Fact::Kind::sm ? ", in this order" : "");
}

std::string place_words(const Fact& fact, const Probe& probe) {
  const std::string& kernel = probe.kernels[fact.kernel].name;
  return fact.step < 0 ? kernel : fmt::format("step {}, {}", fact.step, kernel);
}

std::vector<std::string> fact_lines(const Evidence& evidence) {
  std::vector<std::string> lines;
  for (const Session& session : evidence.sessions) {
    for (const Recording& recording : session) {
      for (const Fact& fact : recording.facts) {
        lines.push_back(fmt::format("{}: {}: {}", recording.name(),
                                    place_words(fact, recording.probe),
                                    fact_words(fact, recording.probe)));
      }
    }
  }
  return lines;
}

std::string size_words(const Evidence& evidence) {
  if (evidence.sessions.empty()) return "nothing that is assumed has it";
  const auto count = evidence.sessions.size();
  std::string text =
      count == 1 ? "1 recording, which contradicts itself"
      : evidence.smallest
          ? fmt::format("{} recordings that contradict each other, as no fewer do", count)
          : fmt::format("{} recordings that contradict each other, all of them needed", count);
  return text +
         (evidence.others == 0
              ? fmt::format("; no other set of up to {} does", evidence.most_counted)
              : fmt::format("; {} of up to {} more",
                            evidence.others == 1 ? std::string("1 other set")
                                                 : count_words(evidence.others) + " other sets",
                            evidence.most_counted));
}

std::string refutation_words(const Refutation& refutation) {
  const Mismatch& wrong = refutation.mismatch;
  const Probe& probe = refutation.set.recordings.back().probe;
  return fmt::format("{}, {}: {}; predicted: {}", wrong.recording, place_words(wrong.fact, probe),
                     fact_words(wrong.fact, probe), fact_words(wrong.instead, probe));
}

std::string difference_words(const SmallestDistinction& difference) {
  const Comparison& comparison = difference.comparison;
  if (!comparison.distinction) {
    return fmt::format("{}: {}", name_of(comparison.kind),
                       comparison.proof ? comparison.proof->claim : comparison.reason);
  }
  const ProbeSize size = size_of(comparison.distinction->probe);
  const Minimality& least = difference.least;
  const bool proved = least.kernels.least && least.actions.least && least.blocks.least;
  return fmt::format("{}, {}, {} ({})", counted(size.kernels, "kernel"),
                     counted(size.actions, "action"), counted(size.blocks, "block"),
                     proved ? "proved least" : minimality_words(least));
}

}  // namespace cuvier
