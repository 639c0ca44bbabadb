#include "reports/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/topology.h"
#include "reports/confirmed_text.h"
#include "reports/mismatch_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

constexpr int most_of_kind = 6;  // wrong facts of a kind that are shown in full

std::string value_words(int axis, const std::vector<int>& values) {
  std::vector<std::string_view> names;
  for (const int value : values) names.push_back(axis_info(axis).values[value].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string hypotheses_words(const HypothesisCount& count) {
  const std::string about = count.exact ? "" : "about ";
  return fmt::format("{}{} of {} left", about, count_words(count.remaining),
                     count_words(count.initial));
}

/// Settled axes, one a line; those that matter under no survivor in one line.
std::string settled_text(const Finding& finding) {
  std::vector<std::vector<std::string>> rows;
  std::string idle;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!concerns(finding.device, axis)) continue;
    const AxisInfo& info = axis_info(axis);
    if (finding.surviving[axis].size() == 1) {
      const AxisValue& value = info.values[finding.surviving[axis].front()];
      rows.push_back({std::string(info.name), std::string(value.name), std::string(value.meaning)});
    } else if (!finding.open[axis]) {
      idle += (idle.empty() ? "" : ", ") + std::string(info.name);
    }
  }
  std::string text = rows.empty() ? "" : "\nsettled:\n" + aligned(rows, 2);
  const std::vector<int>& order = finding.mechanism->order;
  if (!order.empty()) text += "\norder of SMs: " + runs_words(order) + '\n';
  if (!idle.empty()) text += "\nwithout effect, given what is settled: " + idle + '\n';
  return text;
}

std::string open_text(const Finding& finding) {
  std::vector<std::vector<std::string>> rows;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!finding.open[axis]) continue;
    rows.push_back({std::string(axis_info(axis).name),
                    fmt::format("{} of {}", finding.surviving[axis].size(), axis_size(axis)),
                    value_words(axis, finding.surviving[axis])});
  }
  if (rows.empty()) return "";
  return (finding.verdict == Verdict::identified
              ? "\nleft open, since it is proved that no probe tells these apart:\n"
              : "\nopen:\n") +
         aligned(rows, 2);
}

/// The runs that do not count, a probe and a reason a line.
std::string discarded_text(const std::vector<Discarded>& discarded) {
  std::vector<std::vector<std::string>> rows;
  for (const Discarded& each : discarded) {
    rows.push_back({each.probe, fmt::format("{} of {}", each.discarded, each.runs), each.reason});
  }
  return rows.empty() ? "" : "\nruns that do not count:\n" + aligned(rows, 2);
}

std::string probes_words(const Finding& finding) {
  std::string words = count_words(finding.probes);
  if (finding.runs > finding.probes) {
    words += fmt::format(", run {} times,", count_words(finding.runs));
  }
  words += " in " + duration_words(finding.seconds);
  if (finding.verdict == Verdict::identified && finding.telling > 0 &&
      finding.telling < finding.probes) {
    words +=
        fmt::format("; the first {} told everything, the others confirmed it", finding.telling);
  }
  return words;
}

}  // namespace

std::string finding_text(const Finding& finding) {
  const bool single = finding.count.initial == 1;  // nothing to choose from
  std::vector<std::vector<std::string>> rows = {
      {"device", fmt::format("{} ({}, {})", finding.device.name, finding.device.architecture,
                             counted(finding.device.sms, "SM"))},
      {"source", finding.oracle},
      {finding.runs == 0 ? "recordings" : "probes", probes_words(finding)},
  };
  if (const int fewest = fewest_probes(finding)) {
    rows.push_back(
        {"fewest", fmt::format("{} at best: there were {:.1f} bits to learn, and the most telling "
                               "probe here told {:.1f}",
                               counted(fewest, "probe"), told_bits(finding), finding.most_bits)});
  }
  if (!single) rows.push_back({"hypotheses", hypotheses_words(finding.count)});
  if (finding.mechanism) {
    const bool only = finding.verdict == Verdict::identified;
    rows.push_back({only ? "mechanism" : "simplest", model_words(*finding.mechanism)});
  }
  std::string text =
      fmt::format("{}: {}\n{}", name_of(finding.verdict), finding.reason, aligned(rows, 2));
  if (finding.mechanism && !single) text += settled_text(finding) + open_text(finding);
  if (finding.confirmed) text += confirmed_text(*finding.confirmed);
  text += discarded_text(finding.discarded);
  if (!finding.clash.empty()) {
    text += finding.clash.size() == 1 ? "\nno hypothesis explains this one:\n"
                                      : "\nno hypothesis explains these together:\n";
    for (const std::string& recording : finding.clash) text += "  " + recording + '\n';
  }
  if (finding.nearest) text += near_miss_text(*finding.nearest);
  if (!finding.mismatches.empty()) text += mismatches_text(finding.mismatches, most_of_kind);
  return text;
}

std::string step_line(const InferenceStep& step) {
  std::string line = fmt::format("{:3}  {:+5.1f} bits  {:>8} left  {:>6}  {}: {}", step.number,
                                 step.gained_bits, count_words(step.count.remaining),
                                 duration_words(step.seconds), step.probe->name, step.why);
  if (step.outcomes > 0) {
    line += fmt::format(" ({} among {}, {:.1f} bits expected)", counted(step.outcomes, "outcome"),
                        counted(step.committee, "hypothesis", "hypotheses"), step.expected_bits);
  }
  if (step.runs > 1) line += fmt::format("; {}", counted(step.runs, "run"));
  if (step.differing > 0) line += fmt::format(", {} of them discarded", step.differing);
  return line;
}

std::string narrowed_words(const SurvivingValues& before, const SurvivingValues& after) {
  std::string text;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (after[axis].size() >= before[axis].size() || after[axis].empty()) continue;
    constexpr std::size_t few = 2;
    text += text.empty() ? "" : "; ";
    text += fmt::format("{}: ", axis_info(axis).name);
    text += after[axis].size() <= few
                ? value_words(axis, after[axis])
                : fmt::format("{} of {} left", after[axis].size(), axis_size(axis));
  }
  return text;
}

}  // namespace cuvier
