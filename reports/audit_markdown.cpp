#include "reports/audit_markdown.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/audit_text.h"
#include "reports/audit_words.h"
#include "reports/markdown.h"
#include "reports/mismatch_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

std::string value_code(int axis, int value) {
  return fmt::format("`{}`", axis_info(axis).values[value].name);
}

std::string model_code(const Hypothesis& hypothesis) {
  const std::string words = model_words(hypothesis);
  const std::size_t end = words.find(' ');
  return fmt::format("`{}`{}", words.substr(0, end),
                     end == std::string::npos ? "" : words.substr(end));
}

/// Everything that clashes, a line each.
std::string evidence_cell(const Evidence& evidence) {
  std::string text = clash_words(evidence, "hypothesis with this value") + ":";
  for (const std::string& line : fact_lines(evidence)) text += "<br>" + in_cell(line);
  return text;
}

std::string refutation_cell(const Refutation& refutation) {
  return fmt::format("refuted by {}{}: {}", counted(refutation.facts_wrong, "fact"),
                     refutation.facts_wrong == 1 ? "" : ", first",
                     in_cell(refutation_words(refutation)));
}

std::string summary_cell(const AxisAudit& axis) {
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
    const auto& distinction = other.difference.comparison.distinction;
    if (!distinction) continue;
    if (!best || shows_better(*distinction, *best->difference.comparison.distinction)) {
      best = &other;
    }
  }
  return best;
}

std::string justification_cell(const AxisAudit& axis) {
  if (const OtherValue* const shown = smallest_change(axis)) {
    return in_cell(fmt::format("{}: {}", axis_info(axis.axis).values[shown->value].name,
                               difference_words(shown->difference)));
  }
  return axis.others.empty() ? "" : "none: no change shows";
}

std::string overview(const Audit& audit) {
  std::string text =
      "## The assumptions\n\n"
      "| assumption | support | why | smallest probe on which a change shows |\n"
      "| --- | --- | --- | --- |\n";
  for (const AxisAudit& axis : audit.axes) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", value_words(axis.axis, axis.assumed),
                        words_of(axis.support), summary_cell(axis), justification_cell(axis));
  }
  return text;
}

/// What is known of another value beside the change alone.
std::string whatever_else_cell(const OtherValue& other, const Audit& audit) {
  if (other.evidence) return "refuted: " + evidence_cell(*other.evidence);
  if (other.refutation && other.rival) {
    return fmt::format("explains everything with `{}`", differences(audit.mechanism, *other.rival));
  }
  return "";
}

std::string axis_section(const AxisAudit& axis, const Audit& audit) {
  const AxisInfo& info = axis_info(axis.axis);
  std::string text = fmt::format(
      "\n### `{}`: {}\n\n{}: {}.\n", value_words(axis.axis, axis.assumed), words_of(axis.support),
      in_cell(std::string(info.meaning)), in_cell(std::string(info.values[axis.assumed].meaning)));
  if (axis.support == Support::contradicted) {
    text += fmt::format("\nWhat explains everything and is most like the model has `{}`.\n",
                        value_words(axis.axis, audit.mechanism.values[axis.axis]));
  }
  if (axis.support == Support::excluded) {
    text += fmt::format("\nTaken for granted instead: `{}`.\n",
                        value_words(axis.axis, audit.mechanism.values[axis.axis]));
  }
  if (axis.others.empty()) return text;
  text +=
      "\n| other value | with the rest as it is | whatever the other axes are | smallest probe "
      "that tells "
      "them apart |\n| --- | --- | --- | --- |\n";
  for (const OtherValue& other : axis.others) {
    text += fmt::format(
        "| {} | {} | {} | {} |\n", value_code(axis.axis, other.value),
        other.refutation ? refutation_cell(*other.refutation) : "**explains everything as well**",
        whatever_else_cell(other, audit), in_cell(difference_words(other.difference)));
  }
  for (const OtherValue& other : axis.others) {
    const auto& distinction = other.difference.comparison.distinction;
    if (other.refutation || !distinction) continue;
    text += fmt::format("\nTo be asked about {}:\n\n```json\n{}\n```\n",
                        value_code(axis.axis, other.value), to_json(distinction->probe).dump());
  }
  return text;
}

std::string wrong_table(const std::vector<Mismatch>& wrong, const std::optional<Pattern>& pattern) {
  std::string text;
  if (pattern) text += in_cell(pattern_words(*pattern)) + ".\n\n";
  text += "| recording | step | kernel | seen | predicted |\n| --- | --- | --- | --- | --- |\n";
  for (const Mismatch& mismatch : wrong) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", mismatch.recording,
                        mismatch.fact.step < 0 ? "" : fmt::format("{}", mismatch.fact.step),
                        mismatch.kernel, mismatch.seen, mismatch.predicted);
  }
  return text;
}

std::string refuted_section(const RefutedSpace& refuted, const Audit& audit) {
  std::string text = fmt::format("\n## No hypothesis explains them all\n\nIn short: {}:\n\n",
                                 clash_words(refuted.clash));
  for (const std::string& line : fact_lines(refuted.clash)) text += "- " + in_cell(line) + '\n';
  text += fmt::format(
      "\n{} {} all but {}. Of these, the one most like the model:\n\n"
      "{}\n\nWhat it gets wrong: ",
      counted(refuted.equals, "hypothesis", "hypotheses"),
      refuted.equals == 1 ? "explains" : "explain",
      in_cell(fmt::format("{}", fmt::join(refuted.left_out, ", "))), model_code(audit.mechanism));
  text += wrong_table(refuted.wrong, refuted.pattern);
  return text + "\nBelow, these recordings are left aside.\n";
}

}  // namespace

std::string audit_markdown(const Audit& audit) {
  std::string text = fmt::format(
      "# What the recordings say of {}\n\n"
      "Written by `cuvier audit`, seed {}. {} ({}), {}: {} with {}; {} of {} hypotheses {}.\n\n"
      "**{}.**\n",
      model_words(audit.model), audit.seed, audit.device.name, counted(audit.device.sms, "SM"),
      in_cell(audit.source), counted(audit.recordings, "recording"), counted(audit.facts, "fact"),
      count_words(audit.explaining), count_words(audit.hypotheses),
      audit.refuted ? "explain those not left aside below" : "explain them all",
      audit_verdict(audit));
  if (!audit.taken_for_granted.empty()) {
    text += fmt::format("\nTaken for granted: `{}`.\n", fmt::join(audit.taken_for_granted, "`, `"));
  }
  if (audit.refuted) text += refuted_section(*audit.refuted, audit);
  if (!audit.wrong.empty()) {
    text += "\n## What the model gets wrong\n\n" + wrong_table(audit.wrong, audit.pattern);
    if (!audit.refuted) {
      text += fmt::format("\nWhat explains everything, and is most like it: {}.\n",
                          model_code(audit.mechanism));
    }
  }
  text += '\n' + overview(audit) + "\n## One by one\n";
  for (const AxisAudit& axis : audit.axes) text += axis_section(axis, audit);
  return text;
}

}  // namespace cuvier
