#include "reports/audit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "hypotheses/topology.h"
#include "reports/audit_words.h"
#include "reports/mismatch_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

using Row = std::vector<std::string>;

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
  return fmt::format("{} refuted: {}",
                     counted(static_cast<double>(axis.others.size()), "other value"),
                     fmt::join(names, ", "));
}

std::string value_names(const AxisAudit& axis, bool (*wanted)(const OtherValue&)) {
  std::string names;
  for (const OtherValue& other : axis.others) {
    if (!wanted(other)) continue;
    names +=
        (names.empty() ? "" : ", ") + std::string(axis_info(axis.axis).values[other.value].name);
  }
  return names;
}

std::string reason(const AxisAudit& axis, const Audit& audit) {
  switch (axis.support) {
    case Support::supported:
      return refuted_by(axis);
    case Support::supported_given_rest:
      return fmt::format("{}; but with other changes everything is explained as well by {}",
                         refuted_by(axis), value_names(axis, [](const OtherValue& other) {
                           return other.refutation && other.rival;
                         }));
    case Support::untested:
    case Support::undecided:
      return "everything is explained as well by " +
             value_names(axis, [](const OtherValue& other) { return !other.refutation; });
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

}  // namespace

std::string audit_verdict(const Audit& audit) {
  const auto ended_early = [&](const std::string& verdict) {
    return audit.cut_short.empty() ? verdict
                                   : fmt::format("{}; ended early: {}", verdict, audit.cut_short);
  };
  if (audit.refuted) {
    return ended_early(
        fmt::format("refuted: no hypothesis explains all recordings; the best explain all but {}",
                    counted(static_cast<double>(audit.refuted->left_out.size()), "recording")));
  }
  if (audit.wrong.empty()) {
    return ended_early(fmt::format("the model explains all {}", counted(audit.facts, "fact")));
  }
  const std::string wrong = fmt::format("the model is contradicted: it gets {} of {} wrong",
                                        counted(static_cast<double>(audit.wrong.size()), "fact"),
                                        count_words(audit.facts));
  if (audit.axes.empty()) return ended_early(wrong);
  return ended_early(fmt::format("{}; {} explain all", wrong,
                                 counted(audit.explaining, "hypothesis", "hypotheses")));
}

std::string audit_text(const Audit& audit) {
  std::string text = audit_verdict(audit) + '\n';
  text += aligned(
      {{"model", model_words(audit.model)},
       {"device", fmt::format("{} ({})", audit.device.name, counted(audit.device.sms, "SM"))},
       {"source", audit.source},
       {"recordings", fmt::format("{} with {}", audit.recordings, counted(audit.facts, "fact"))},
       {"hypotheses", audit.axes.empty()
                          ? "not looked at"
                          : fmt::format("{} of {} explain {}", count_words(audit.explaining),
                                        count_words(audit.hypotheses),
                                        audit.refuted ? "the others" : "them all")},
       {"took", duration_words(audit.seconds)}},
      2);
  if (!audit.taken_for_granted.empty()) {
    text += fmt::format("  taken for granted: {}\n", fmt::join(audit.taken_for_granted, " "));
  }
  if (audit.pattern) text += "  what it gets wrong: " + pattern_words(*audit.pattern) + '\n';
  if (audit.refuted) {
    text += "\n" + clash_words(audit.refuted->clash) + ":\n";
    for (const std::string& line : fact_lines(audit.refuted->clash)) text += "  " + line + '\n';
    text +=
        fmt::format("\nwhat explains most, and is most like the model: {}\n  does not explain {}\n",
                    model_words(audit.mechanism), fmt::join(audit.refuted->left_out, ", "));
    if (audit.refuted->pattern) text += "  " + pattern_words(*audit.refuted->pattern) + '\n';
  } else if (!audit.wrong.empty() && !audit.axes.empty()) {
    text +=
        "\nwhat explains all, and is most like the model: " + model_words(audit.mechanism) + '\n';
  }
  constexpr std::array kinds{
      Support::contradicted, Support::excluded,  Support::supported, Support::supported_given_rest,
      Support::untested,     Support::undecided, Support::irrelevant};
  for (const Support support : kinds) {
    std::vector<Row> rows;
    for (const AxisAudit& axis : audit.axes) {
      if (axis.support != support) continue;
      rows.push_back({value_words(axis.axis, axis.assumed), reason(axis, audit)});
    }
    if (!rows.empty()) text += fmt::format("\n{}:\n{}", words_of(support), aligned(rows, 2));
  }
  std::string later;
  for (int axis = audit.axes.empty() ? 0 : audit.axes.back().axis + 1; axis < kAxes; ++axis) {
    if (!concerns(audit.device, axis)) continue;
    later += fmt::format("  {}\n", value_words(axis, audit.model.values[axis]));
  }
  if (!later.empty()) text += "\nnot looked at:\n" + later;
  return text;
}

}  // namespace cuvier
