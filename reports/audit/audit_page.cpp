#include <fmt/format.h>

#include <array>
#include <set>

#include "hypotheses/scheduler/topology.h"
#include "probes/json_fields.h"
#include "reports/audit/audit_report.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/json_text.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"
#include "solver/minimise/reductions.h"

namespace cuvier {
namespace {

Text model_text(const Hypothesis& hypothesis) {
  const std::string words = model_words(hypothesis);
  const std::size_t end = words.find(' ');
  const Text name = code(words.substr(0, end));
  return end == std::string::npos ? name : name + words.substr(end);
}

/// "step 1, k2", or the kernel alone.
std::string place_words(const Fact& fact, const Probe& probe) {
  const std::string& kernel = probe.kernels[fact.kernel].name;
  return fact.step < 0 ? kernel : fmt::format("step {}, {}", fact.step, kernel);
}

/// A fact without its step and kernel, lists in short: "starts on SMs 0,2..80".
std::string fact_words(const Fact& fact, const Probe& probe) {
  if (!fact.lists_sms() || fact.values.empty()) {
    return describe(fact, probe).substr(place_words(fact, probe).size() + 2);
  }
  if (fact.values.size() == 1) return fmt::format("starts on SM {}", fact.values.front());
  return fmt::format("starts on SMs {}{}", runs_words(fact.values),
                     fact.kind == Fact::Kind::sm ? ", in this order" : "");
}

/// A line for each fact of the evidence: "case-2.1: step 4, k5: starts no block".
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

/// What the evidence is, for those hypotheses that it rules out: "no hypothesis explains these 2
/// recordings together, ...".
std::string clash_words(const Evidence& evidence, std::string_view hypotheses = "hypothesis") {
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

/// What differs in a smallest refutation: "case-2.1, step 4, k5: seen ..., predicted ...".
std::string refutation_words(const Refutation& refutation) {
  const Mismatch& wrong = refutation.mismatch;
  const Probe& probe = refutation.set.recordings.back().probe;
  return fmt::format("{}, {}: seen: {}; predicted: {}", wrong.recording,
                     place_words(wrong.fact, probe), fact_words(wrong.fact, probe),
                     fact_words(wrong.instead, probe));
}

/// "2 kernels, 2 actions, 84 blocks", or why there is none.
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

/// Everything that clashes, a line each.
std::string evidence_words(const Evidence& evidence) {
  std::string text = clash_words(evidence, "hypothesis with this value") + ":";
  for (const std::string& line : fact_lines(evidence)) text += '\n' + line;
  return text;
}

std::string refuted_words(const Refutation& refutation) {
  return fmt::format("refuted by {}{}: {}", counted(refutation.facts_wrong, "fact"),
                     refutation.facts_wrong == 1 ? "" : ", first", refutation_words(refutation));
}

std::string names_of(const Evidence& evidence) {
  std::string names;
  for (const Session& session : evidence.sessions) {
    names += (names.empty() ? "" : " + ") + session.back().name();
  }
  return names;
}

/// What refutes all other values.
std::string refuted_by(const AxisAudit& axis) {
  std::set<std::string> names;
  for (const OtherValue& other : axis.others) {
    if (other.evidence) {
      names.insert(names_of(*other.evidence));
    } else if (other.refutation) {
      names.insert(other.refutation->mismatch.recording);
    }
  }
  return fmt::format("{} refuted: {}", counted(axis.others.size(), "other value"),
                     fmt::join(names, ", "));
}

std::string others_that(bool (*hold)(const OtherValue&), const AxisAudit& axis) {
  std::vector<int> values;
  for (const OtherValue& other : axis.others) {
    if (hold(other)) values.push_back(other.value);
  }
  return value_names(axis.axis, values);
}

std::string reason(const AxisAudit& axis, const Audit& audit) {
  switch (axis.support) {
    case Support::supported:
      return refuted_by(axis);
    case Support::supported_given_rest:
      return fmt::format(
          "{}; but with other changes everything is explained as well by {}", refuted_by(axis),
          others_that([](const OtherValue& other) { return other.refutation && other.rival; },
                      axis));
    case Support::untested:
    case Support::undecided:
      return "everything is explained as well by " +
             others_that([](const OtherValue& other) { return !other.refutation; }, axis);
    case Support::contradicted: {
      const std::string by = axis.contradiction ? names_of(*axis.contradiction)
                             : axis.refutation  ? axis.refutation->mismatch.recording
                                                : std::string("the rest");
      return fmt::format("{} instead: {}",
                         value_words(axis.axis, audit.mechanism.values[axis.axis]), by);
    }
    case Support::excluded:
      return fmt::format("--assume has {} instead",
                         value_words(axis.axis, audit.mechanism.values[axis.axis]));
    case Support::irrelevant:
    case Support::taken_for_granted:
      break;
  }
  return axis.others.empty() ? "given the model's other values" : "proved equivalent";
}

/// Whether a probe shows a change better than another: for certain, then likelier, then smaller.
bool shows_better(const Distinction& one, const Distinction& other) {
  if (one.likelihood.has_value() != other.likelihood.has_value()) return !one.likelihood;
  if (one.likelihood && one.likelihood->telling() != other.likelihood->telling()) {
    return one.likelihood->telling() > other.likelihood->telling();
  }
  return size_of(one.probe) < size_of(other.probe);
}

/// Of the probes that show what changing the axis would do, the smallest that best shows it.
const OtherValue* smallest_change(const AxisAudit& axis) {
  const OtherValue* best = nullptr;
  for (const OtherValue& other : axis.others) {
    const auto& distinction = other.difference.distinction;
    if (!distinction) continue;
    if (!best || shows_better(*distinction, *best->difference.distinction)) {
      best = &other;
    }
  }
  return best;
}

std::string shown_words(const AxisAudit& axis) {
  if (const OtherValue* const shown = smallest_change(axis)) {
    return fmt::format("{}: {}", value_name(axis.axis, shown->value),
                       difference_words(shown->difference));
  }
  return axis.others.empty() ? "" : "none: no change shows";
}

/// The assumptions by how far they are supported.
void add_overview(Page& page, const Audit& audit) {
  constexpr std::array kinds{
      Support::contradicted, Support::excluded,  Support::supported,  Support::supported_given_rest,
      Support::untested,     Support::undecided, Support::irrelevant, Support::taken_for_granted};
  std::vector<Section> sections;
  std::vector<std::string> counts;
  for (const Support support : kinds) {
    const std::string words(words_of(support));
    Table table{words, {"assumption", "why", "smallest probe on which a change shows"}};
    for (const AxisAudit& axis : audit.axes) {
      if (axis.support != support) continue;
      table.add(
          {code(value_words(axis.axis, axis.assumed)), reason(axis, audit), shown_words(axis)});
    }
    if (table.rows.empty()) continue;
    counts.push_back(fmt::format("{} {}", table.rows.size(), words));
    const bool in_short = support != Support::taken_for_granted;
    sections.push_back({words, {std::move(table)}, 3, in_short});
  }
  List later;
  for (int axis = audit.axes.empty() ? 0 : audit.axes.back().axis + 1; axis < kAxes; ++axis) {
    if (!concerns(audit.device, axis)) continue;
    later.add(code(value_words(axis, audit.model.values[axis])));
  }
  if (!later.lines.empty()) {
    counts.push_back(fmt::format("{} not looked at", later.lines.size()));
    sections.push_back({"not looked at", {std::move(later)}, 3});
  }
  if (!counts.empty())
    page.verdict += fmt::format("\nOf its assumptions: {}", fmt::join(counts, "; "));
  page.add({"The assumptions", {}});
  std::ranges::move(sections, std::back_inserter(page.sections));
}

/// What is known of another value beside the change alone.
Text whatever_else(const OtherValue& other, const Audit& audit) {
  if (other.evidence) return "refuted: " + evidence_words(*other.evidence);
  if (other.refutation && other.rival) {
    return "explains everything with " + code(differences(audit.mechanism, *other.rival));
  }
  return "";
}

Section axis_section(const AxisAudit& axis, const Audit& audit) {
  const AxisInfo& info = axis_info(axis.axis);
  Section section{
      code(value_words(axis.axis, axis.assumed)) + fmt::format(": {}", words_of(axis.support)),
      {},
      3,
      false};
  section.say("{}.", value_sentence(axis.axis, axis.assumed));
  const Text mechanism_has = code(value_words(axis.axis, audit.mechanism.values[axis.axis]));
  if (axis.support == Support::contradicted) {
    section.add("What explains everything and is most like the model has " + mechanism_has + ".");
  }
  if (axis.support == Support::excluded) {
    section.add("Taken for granted instead: " + mechanism_has + ".");
  }
  if (axis.others.empty()) return section;
  Table table{fmt::format("Other values of {}", info.name),
              {"other value", "with the rest as it is", "whatever the other axes are",
               "smallest probe that tells them apart"}};
  for (const OtherValue& other : axis.others) {
    table.add({code(value_name(axis.axis, other.value)),
               other.refutation ? Text(refuted_words(*other.refutation))
                                : strong("explains everything as well"),
               whatever_else(other, audit), difference_words(other.difference)});
  }
  section.add(std::move(table));
  for (const OtherValue& other : axis.others) {
    const auto& distinction = other.difference.distinction;
    if (other.refutation || !distinction) continue;
    section.add("To be asked about " + code(value_name(axis.axis, other.value)) + ":");
    section.add(Source{"json", json_text(to_json(distinction->probe))});
  }
  return section;
}

/// What is wrong, fact by fact.
Section wrong_section(const std::vector<Mismatch>& wrong) {
  return {"Facts that are predicted otherwise", {mismatch_table(wrong)}, 3, false};
}

void add_refuted(Page& page, const RefutedSpace& refuted, const Audit& audit) {
  Section section{"No hypothesis explains them all", {}};
  section.add(Text("In short: " + clash_words(refuted.clash) + ":"));
  List clash;
  for (const std::string& line : fact_lines(refuted.clash)) clash.add(line);
  section.add(std::move(clash));
  section.add(fmt::format("{} {} all but {}. Of these, the one most like the model: ",
                          counted(refuted.equals, "hypothesis", "hypotheses"),
                          refuted.equals == 1 ? "explains" : "explain",
                          fmt::join(refuted.left_out, ", ")) +
              model_text(audit.mechanism) + ".");
  if (refuted.pattern) {
    section.add(Text("What it gets wrong: " + pattern_words(*refuted.pattern) + "."));
  }
  section.add(Text("Below, these recordings are left aside."));
  page.add(std::move(section));
  page.add(wrong_section(refuted.wrong));
}

void add_wrong(Page& page, const Audit& audit) {
  Section section{"What the model gets wrong", {}};
  if (audit.pattern) section.add(Text(pattern_words(*audit.pattern) + "."));
  if (!audit.refuted && !audit.axes.empty()) {
    section.add("What explains everything, and is most like it: " + model_text(audit.mechanism) +
                ".");
  }
  page.add(std::move(section));
  page.add(wrong_section(audit.wrong));
}

/// The probes on which a change shows for certain.
Map changes_map(const Audit& audit) {
  Map map{to_json(audit.device), "without the change", "with the change"};
  for (const AxisAudit& axis : audit.axes) {
    const OtherValue* const shown = smallest_change(axis);
    if (!shown) continue;
    Distinction distinction = *shown->difference.distinction;
    if (distinction.likelihood) continue;
    distinction.probe.name =
        fmt::format("{} against {}", value_words(axis.axis, audit.mechanism.values[axis.axis]),
                    value_name(axis.axis, shown->value));
    map.recordings.push_back(two_outcomes(distinction));
  }
  return map;
}

Text title_of(const Hypothesis& model) {
  return "What the recordings say of " + Text(model_words(model));
}

}  // namespace

Page undecided_audit_page(const Device& device, const Hypothesis& model,
                          const std::string& verdict) {
  Page page;
  page.title = title_of(model);
  page.written_by = "Written by " + code("cuvier audit") + ". ";
  page.about = fmt::format("{} ({}).", device.name, counted(device.sms, "SM"));
  page.verdict = verdict;
  return page;
}

Page audit_page(const Audit& audit) {
  Page page;
  page.title = title_of(audit.model);
  page.written_by = "Written by " + code("cuvier audit") + fmt::format(", seed {}. ", audit.seed);
  const std::string explaining =
      audit.axes.empty() ? "the hypotheses were not looked at"
                         : fmt::format("{} of {} hypotheses explain {}",
                                       count_words(audit.explaining), count_words(audit.hypotheses),
                                       audit.refuted ? "those not left aside below" : "them all");
  page.about =
      fmt::format("{} ({}), {}: {} with {}; {}.", audit.device.name,
                  counted(audit.device.sms, "SM"), audit.source,
                  counted(audit.recordings, "recording"), counted(audit.facts, "fact"), explaining);
  page.verdict = audit_verdict(audit);
  const auto is_shown = [](const AxisAudit& axis) {
    return axis.support != Support::untested && axis.support != Support::undecided;
  };
  page.tone = audit.refuted || !audit.wrong.empty() ? Page::Tone::bad
              : audit.cut_short.empty() && std::ranges::all_of(audit.axes, is_shown)
                  ? Page::Tone::good
                  : Page::Tone::open;
  for (const std::string& granted : audit.taken_for_granted) {
    page.about += (&granted == audit.taken_for_granted.data() ? "\n\nTaken for granted: " : ", ") +
                  code(granted);
  }
  if (!audit.taken_for_granted.empty()) page.about += ".";
  if (audit.refuted) add_refuted(page, *audit.refuted, audit);
  if (!audit.wrong.empty()) add_wrong(page, audit);
  add_overview(page, audit);
  if (Map map = changes_map(audit); !map.recordings.empty()) {
    page.add({"Where a change shows", {std::move(map)}, 2, false});
  }
  page.add({"One by one", {}, 2, false});
  for (const AxisAudit& axis : audit.axes) page.add(axis_section(axis, audit));
  return page;
}

}  // namespace cuvier
