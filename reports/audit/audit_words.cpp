#include <fmt/format.h>

#include "probes/named.h"
#include "reports/audit/audit_report.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/words.h"
#include "solver/minimise/reductions.h"

namespace cuvier {
namespace {

/// A fact without its step and kernel, lists in short: "starts on SMs 0,2..80".
std::string fact_words(const Fact& fact, const Probe& probe) {
  if (!fact.lists_sms() || fact.values.empty()) {
    return describe(fact, probe).substr(place_words(fact, probe).size() + 2);
  }
  if (fact.values.size() == 1) return fmt::format("starts on SM {}", fact.values.front());
  return fmt::format("starts on SMs {}{}", runs_words(fact.values),
                     fact.kind == Fact::Kind::sm ? ", in this order" : "");
}

}  // namespace

std::string audit_verdict(const Audit& audit) {
  const auto ended_early = [&](const std::string& verdict) {
    return audit.cut_short.empty() ? verdict
                                   : fmt::format("{}; ended early: {}", verdict, audit.cut_short);
  };
  if (audit.refuted) {
    return ended_early(
        fmt::format("refuted: no hypothesis explains all recordings; the best explain all but {}",
                    counted(audit.refuted->left_out.size(), "recording")));
  }
  if (audit.wrong.empty()) {
    return ended_early(fmt::format("the model explains all {}", counted(audit.facts, "fact")));
  }
  const std::string wrong =
      fmt::format("the model is contradicted: it gets {} of {} wrong",
                  counted(audit.wrong.size(), "fact"), count_words(audit.facts));
  if (audit.axes.empty()) return ended_early(wrong);
  return ended_early(fmt::format("{}; {} explain all", wrong,
                                 counted(audit.explaining, "hypothesis", "hypotheses")));
}

std::string_view words_of(Support support) {
  return named(support, {"supported", "supported, given the rest", "untested", "contradicted",
                         "ruled out by --assume, not by a fact", "makes no difference",
                         "taken for granted", "undecided"});
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

std::string clash_words(const Evidence& evidence, std::string_view hypotheses) {
  const auto count = evidence.sessions.size();
  if (count == 0) return fmt::format("--assume leaves no {}", hypotheses);
  std::string text = fmt::format("no {} explains ", hypotheses);
  text += count == 1 ? std::string("this recording")
                     : fmt::format("these {} recordings together, {}", count,
                                   evidence.smallest ? "and no fewer recordings show that"
                                                     : "and each of them is needed to show that");
  const std::string size = counted(evidence.most_counted, "recording");
  return text + (evidence.others == 0 ? fmt::format("; no other set of up to {} shows it", size)
                                      : fmt::format("; {} of up to {} {} it too",
                                                    counted(evidence.others, "other set"), size,
                                                    evidence.others == 1 ? "shows" : "show"));
}

std::string refutation_words(const Refutation& refutation) {
  const Mismatch& wrong = refutation.mismatch;
  const Probe& probe = refutation.set.recordings.back().probe;
  return fmt::format("{}, {}: seen: {}; predicted: {}", wrong.recording,
                     place_words(wrong.fact, probe), fact_words(wrong.fact, probe),
                     fact_words(wrong.instead, probe));
}

std::string difference_words(const Comparison& comparison) {
  if (!comparison.distinction) {
    return fmt::format("{}: {}", name_of(comparison.kind), known_by(comparison));
  }
  const std::string measures = size_words(comparison.distinction->probe);
  if (const auto& likelihood = comparison.distinction->likelihood) {
    return fmt::format("{} (by chance: {} of {} outcomes exclude the change)", measures,
                       likelihood->excludes_b, likelihood->drawn);
  }
  return measures;
}

}  // namespace cuvier
