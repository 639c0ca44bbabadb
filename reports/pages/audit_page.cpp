#include "reports/pages/audit_page.h"

#include <fmt/format.h>

#include "probes/json_fields.h"
#include "reports/audit_text.h"
#include "reports/audit_words.h"
#include "reports/mismatch_text.h"
#include "reports/pages/comparison_page.h"
#include "reports/words.h"
#include "solver/minimise/reductions.h"

namespace cuvier {
namespace {

std::string value_name(int axis, int value) {
  return std::string(axis_info(axis).values[value].name);
}

Text model_text(const Hypothesis& hypothesis) {
  const std::string words = model_words(hypothesis);
  const std::size_t end = words.find(' ');
  const Text name = code(words.substr(0, end));
  return end == std::string::npos ? name : name + words.substr(end);
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

std::string summary_words(const AxisAudit& axis) {
  int refuted = 0;
  int always = 0;
  for (const OtherValue& other : axis.others) {
    refuted += other.refutation.has_value();
    always += other.evidence.has_value();
  }
  if (axis.support == Support::taken_for_granted || axis.support == Support::excluded) return "";
  if (axis.others.empty()) return "makes no difference given the model's other values";
  return fmt::format("{} of {} refuted, {} of them whatever the other axes are", refuted,
                     counted(static_cast<double>(axis.others.size()), "other value"), always);
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

Section overview(const Audit& audit) {
  Table table{"The assumptions",
              {"assumption", "support", "why", "smallest probe on which a change shows"},
              {}};
  for (const AxisAudit& axis : audit.axes) {
    table.rows.push_back({code(value_words(axis.axis, axis.assumed)),
                          std::string(words_of(axis.support)), summary_words(axis),
                          shown_words(axis)});
  }
  return {"The assumptions", 2, {std::move(table)}};
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
      3,
      {}};
  section.items.emplace_back(
      Text(fmt::format("{}: {}.", info.meaning, info.values[axis.assumed].meaning)));
  const Text mechanism_has = code(value_words(axis.axis, audit.mechanism.values[axis.axis]));
  if (axis.support == Support::contradicted) {
    section.items.emplace_back("What explains everything and is most like the model has " +
                               mechanism_has + ".");
  }
  if (axis.support == Support::excluded) {
    section.items.emplace_back("Taken for granted instead: " + mechanism_has + ".");
  }
  if (axis.others.empty()) return section;
  Table table{fmt::format("Other values of {}", info.name),
              {"other value", "with the rest as it is", "whatever the other axes are",
               "smallest probe that tells them apart"},
              {}};
  for (const OtherValue& other : axis.others) {
    table.rows.push_back({code(value_name(axis.axis, other.value)),
                          other.refutation ? Text(refuted_words(*other.refutation))
                                           : strong("explains everything as well"),
                          whatever_else(other, audit), difference_words(other.difference)});
  }
  section.items.emplace_back(std::move(table));
  for (const OtherValue& other : axis.others) {
    const auto& distinction = other.difference.distinction;
    if (other.refutation || !distinction) continue;
    section.items.emplace_back("To be asked about " + code(value_name(axis.axis, other.value)) +
                               ":");
    section.items.emplace_back(Source{"json", to_json(distinction->probe).dump()});
  }
  return section;
}

void add_wrong(Section& section, const std::vector<Mismatch>& wrong,
               const std::optional<Pattern>& pattern) {
  if (pattern) section.items.emplace_back(Text(pattern_words(*pattern) + "."));
  Table table{"Facts that are predicted otherwise",
              {"recording", "step", "kernel", "seen", "predicted"},
              {}};
  for (const Mismatch& mismatch : wrong) {
    table.rows.push_back({mismatch.recording,
                          mismatch.fact.step < 0 ? "" : fmt::format("{}", mismatch.fact.step),
                          mismatch.kernel, mismatch.seen, mismatch.predicted});
  }
  section.items.emplace_back(std::move(table));
}

Section refuted_section(const RefutedSpace& refuted, const Audit& audit) {
  Section section{"No hypothesis explains them all", 2, {}};
  section.items.emplace_back(Text("In short: " + clash_words(refuted.clash) + ":"));
  List clash;
  for (const std::string& line : fact_lines(refuted.clash)) clash.lines.emplace_back(line);
  section.items.emplace_back(std::move(clash));
  section.items.emplace_back(Text(fmt::format(
      "{} {} all but {}. Of these, the one most like the model:",
      counted(refuted.equals, "hypothesis", "hypotheses"),
      refuted.equals == 1 ? "explains" : "explain", fmt::join(refuted.left_out, ", "))));
  section.items.emplace_back(model_text(audit.mechanism));
  section.items.emplace_back(Text("What it gets wrong:"));
  add_wrong(section, refuted.wrong, refuted.pattern);
  section.items.emplace_back(Text("Below, these recordings are left aside."));
  return section;
}

/// The probes on which a change shows for certain.
Map changes_map(const Audit& audit) {
  Map map{to_json(audit.device), "without the change", "with it"};
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
  page.about = "Written by " + code("cuvier audit") +
               fmt::format(". {} ({}).", device.name, counted(device.sms, "SM"));
  page.verdict = verdict;
  return page;
}

Page audit_page(const Audit& audit) {
  Page page;
  page.title = title_of(audit.model);
  page.about =
      "Written by " + code("cuvier audit") +
      fmt::format(", seed {}. {} ({}), {}: {} with {}; {} of {} hypotheses {}.", audit.seed,
                  audit.device.name, counted(audit.device.sms, "SM"), audit.source,
                  counted(audit.recordings, "recording"), counted(audit.facts, "fact"),
                  count_words(audit.explaining), count_words(audit.hypotheses),
                  audit.refuted ? "explain those not left aside below" : "explain them all");
  page.verdict = audit_verdict(audit);
  page.tone = audit.refuted || !audit.wrong.empty() ? Page::Tone::bad
              : audit.cut_short.empty()             ? Page::Tone::good
                                                    : Page::Tone::open;
  for (const std::string& granted : audit.taken_for_granted) {
    page.about += (&granted == audit.taken_for_granted.data() ? "\n\nTaken for granted: " : ", ") +
                  code(granted);
  }
  if (!audit.taken_for_granted.empty()) page.about += ".";
  if (audit.refuted) page.sections.push_back(refuted_section(*audit.refuted, audit));
  if (!audit.wrong.empty()) {
    Section& wrong = page.sections.emplace_back(Section{"What the model gets wrong", 2, {}});
    add_wrong(wrong, audit.wrong, audit.pattern);
    if (!audit.refuted && !audit.axes.empty()) {
      wrong.items.emplace_back(
          "What explains everything, and is most like it: " + model_text(audit.mechanism) + ".");
    }
  }
  page.sections.push_back(overview(audit));
  if (Map map = changes_map(audit); !map.recordings.empty()) {
    page.sections.push_back({"Where a change shows", 2, {std::move(map)}});
  }
  page.sections.push_back({"One by one", 2, {}});
  for (const AxisAudit& axis : audit.axes) page.sections.push_back(axis_section(axis, audit));
  return page;
}

}  // namespace cuvier
