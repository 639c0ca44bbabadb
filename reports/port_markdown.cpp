#include "reports/port_markdown.h"

#include <fmt/format.h>

#include "reports/comparison_text.h"
#include "reports/markdown.h"
#include "reports/mismatch_text.h"
#include "reports/text.h"
#include "reports/validation_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

std::string limit_words(const LimitCheck& limit) {
  if (!limit.refused.empty()) {
    return fmt::format("not known: {} (see {} of device.json)", limit.refused, limit.field);
  }
  if (limit.holds()) {
    return "as documented: " + counted(limit.seen, limit.unit);
  }
  std::string text =
      fmt::format("{} seen where {} should be: correct {} of device.json",
                  counted(limit.seen, limit.unit), count_words(limit.documented), limit.field);
  if (!limit.unless.empty()) {
    text += fmt::format(", unless {}", fmt::join(limit.unless, " or "));
  }
  return text;
}

/// What is left of the axes in question.
std::string granularity_words(const GranularityCheck& check) {
  if (check.probes.empty()) return "not known: " + check.refused;
  if (check.left.empty()) return "no value explains it, if all else is as in Algorithm 1";
  std::vector<std::string> names;
  for (const Hypothesis& left : check.left) {
    std::vector<std::string> values;
    for (const int axis : check.axes) {
      const AxisInfo& info = axis_info(axis);
      const AxisValue& value = info.values[left.values[axis]];
      values.push_back(fmt::format("{}={} ({})", info.name, value.name, value.meaning));
    }
    names.push_back(fmt::format("{}", fmt::join(values, ", ")));
  }
  return fmt::format("{}, by {}, if all else is as in Algorithm 1", fmt::join(names, " or "),
                     counted(static_cast<int>(check.probes.size()), "probe"));
}

std::string steadiness_words(const OracleCheck& check) {
  std::string text = fmt::format("{} of {} repeated probes started as many blocks in each run",
                                 check.steady, check.repeated);
  if (!check.unsteady.empty()) {
    text += fmt::format("; not those of {}", fmt::join(check.unsteady, ", "));
  }
  return text;
}

std::string correction_words(const DeviceCorrection& correction) {
  return fmt::format("correct {}: {} instead of {}", correction.field,
                     count_words(correction.value), count_words(correction.documented));
}

std::string session_words(const Conformance& conformance) {
  if (!conformance.sessions) return "it cannot begin one";
  const std::string probes = counted(conformance.compared, "probe");
  if (conformance.compared == 0) return "begin with an opening, and so are not compared";
  if (conformance.differing.empty()) {
    return fmt::format("a new one answered {} as the one before did", probes);
  }
  return fmt::format(
      "a new one answered {} of {} otherwise than the one before: {}; --repeat 2 has "
      "runs vote where answers may be wrong",
      conformance.differing.size(), probes, fmt::join(conformance.differing, ", "));
}

std::string state_words(const Conformance& conformance) {
  if (conformance.state) return "outlives a probe: some went otherwise when they were run again";
  return "none was seen: either the scheduler keeps none, or the oracle starts each probe anew, "
         "which "
         "it must not (docs/oracle-protocol.md)";
}

std::string section(const std::string& title, const std::string& text) {
  return fmt::format("\n## {}\n\n{}", title, text);
}

std::string block(const std::string& text) { return "```\n" + text + "```\n"; }

/// In plain words, the axes that are settled; of those with several values left, which.
std::string mechanism_section(const Finding& finding) {
  std::string text = "| axis | value | what that means |\n| --- | --- | --- |\n";
  for (int axis = 0; axis < kAxes; ++axis) {
    if (finding.surviving[axis].empty() || !matters(axis, *finding.mechanism)) continue;
    std::vector<std::string_view> names;
    for (const int value : finding.surviving[axis]) {
      names.push_back(axis_info(axis).values[value].name);
    }
    const bool open = names.size() > 1;
    const int value = finding.mechanism->values[axis];
    text += fmt::format(
        "| `{}` | {} | {} |\n", axis_info(axis).name,
        open ? fmt::format("open: {}", fmt::join(names, ", ")) : fmt::format("`{}`", names.front()),
        in_cell(
            std::string(open ? axis_info(axis).meaning : axis_info(axis).values[value].meaning)));
  }
  return text;
}

std::string baseline_section(const Hypothesis& mechanism, const std::vector<Baseline>& baselines) {
  std::string text =
      "| baseline | | differs in | smallest probe found that shows it |\n| --- | --- | --- | --- "
      "|\n";
  for (const Baseline& baseline : baselines) {
    const Comparison& comparison = baseline.difference;
    std::string shown =
        comparison.proof ? in_cell(comparison.proof->claim) : in_cell(comparison.reason);
    if (comparison.distinction) {
      shown = fmt::format("[{}]({}): {}", baseline.name, baseline.probe_file,
                          in_cell(parting_words(*comparison.distinction)));
    }
    const std::string changes = differences(mechanism, baseline.hypothesis);
    text += fmt::format("| `{}` | {} | `{}` | {} |\n", baseline.name, name_of(comparison.kind),
                        changes, shown);
  }
  return text +
         "\nA is this GPU, B the baseline; named are the values that the baseline has instead.\n";
}

/// Where nobody's hypothesis fits, the next one is to be thought of.
std::string lead(const Finding& finding) {
  std::string text =
      fmt::format("Nothing that was imagined does what this GPU does. These probes clash: {}.\n",
                  fmt::join(finding.clash, ", "));
  if (finding.nearest) text += '\n' + block(near_miss_text(*finding.nearest));
  text +=
      "\nWhat to do: look at the facts that the nearest hypothesis gets wrong, and at the pattern "
      "in "
      "them; think of a rule that gives them, and add it as a value of the axis that it is about, "
      "or "
      "as an axis of its own. Each is a file in `hypotheses/axes/` and a row in "
      "`hypotheses/axes.h`; "
      "docs/architecture.md, *Growing*, has a whole diff. Then `cuvier check "
      "inference/journal.jsonl` says whether the new space explains the recordings.\n";
  return text;
}

std::string contribution(const Port& port) {
  std::string text = fmt::format(
      "- `device.json`: a file for `hypotheses/devices/` ({}, {}).\n"
      "- `inference/journal.jsonl`, `validation/journal.jsonl`: recordings, a folder for this GPU "
      "in `corpus/`, with a row in corpus/README.md that says who measured them and how.\n",
      port.device.name, counted(port.device.sms, "SM"));
  if (port.finding && port.finding->mechanism) {
    text +=
        "- `inference/model.json`: the mechanism; a named hypothesis is a row in "
        "`hypotheses/assumptions.cpp`.\n";
  }
  return text;
}

}  // namespace

std::string oracle_check_text(const OracleCheck& check) {
  const Conformance& conformance = check.conformance;
  std::vector<std::vector<std::string>> rows = {
      {"who answers", check.oracle},
      {"sessions", session_words(conformance)},
      {"state between probes", state_words(conformance)},
      {"a probe that cannot run",
       conformance.not_refused.empty()
           ? "is refused"
           : fmt::format("should be refused as invalid_probe; it {}", conformance.not_refused)}};
  for (const DeviceCorrection& correction : check.corrections) {
    rows.push_back({"device.json", correction_words(correction)});
  }
  if (!check.corrections.empty()) {
    rows.push_back({"", "that explains all that was seen; what follows was measured with it"});
  }
  for (const LimitCheck& limit : check.limits) rows.push_back({limit.what, limit_words(limit)});
  for (const GranularityCheck& granularity : check.granularities) {
    rows.push_back({granularity.what, granularity_words(granularity)});
  }
  rows.push_back({"answers", steadiness_words(check)});
  rows.push_back({"a run takes", fmt::format("{:.2f} ms in the median", check.probe_ms)});
  rows.push_back({"channels beside sm", check.channels.empty()
                                            ? "none"
                                            : fmt::format("{}", fmt::join(check.channels, ", "))});
  return aligned(rows, 2);
}

std::string port_markdown(const Port& port) {
  std::string text =
      fmt::format("# {}\n\nWritten by `cuvier port`; asked: {}.\n", port.device.name, port.oracle);
  if (port.finding) {
    const Finding& finding = *port.finding;
    text += fmt::format("\n**{}: {}.**", name_of(finding.verdict), finding.reason);
    if (finding.mechanism) {
      text += fmt::format(" Unlike Algorithm 1: `{}`.", describe(*finding.mechanism));
    }
    text += '\n';
    if (finding.verdict == Verdict::refuted) text += section("A lead", lead(finding));
    if (finding.mechanism) text += section("What it does", mechanism_section(finding));
  }
  if (!port.baselines.empty()) {
    text +=
        section("What is new in it", baseline_section(*port.finding->mechanism, port.baselines));
  }
  if (port.validation) {
    text += section("How it holds on random sequences", block(validation_text(*port.validation)));
  }
  if (port.finding) text += section("What that rests on", block(finding_text(*port.finding)));
  if (port.check) text += section("The oracle", block(oracle_check_text(*port.check)));
  return text + section("To contribute", contribution(port));
}

}  // namespace cuvier
