#include "reports/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/words.h"

namespace cuvier {
namespace {

constexpr std::size_t most_mismatches = 24;              // in all
constexpr std::size_t most_mismatches_of_recording = 4;  // so that the first does not fill it

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
std::string mechanism_text(const Finding& finding) {
  const Hypothesis& mechanism = *finding.mechanism;
  std::vector<std::vector<std::string>> rows;
  std::string idle;
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    if (finding.open[axis]) continue;
    if (!matters(axis, mechanism)) {
      idle += (idle.empty() ? "" : ", ") + std::string(info.name);
      continue;
    }
    const AxisValue& value = info.values[mechanism.values[axis]];
    rows.push_back({std::string(info.name), std::string(value.name), std::string(value.meaning)});
  }
  std::string text = "\nsettled:\n" + aligned(rows, 2);
  if (!mechanism.order.empty()) text += "  order of SMs: " + runs_words(mechanism.order) + '\n';
  if (!idle.empty()) text += "of no effect here: " + idle + '\n';
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
  return rows.empty() ? "" : "\nopen:\n" + aligned(rows, 2);
}

std::string mismatches_text(const std::vector<Mismatch>& mismatches) {
  std::map<std::string, std::size_t> of_recording;  // by place: names may repeat
  for (const Mismatch& mismatch : mismatches) ++of_recording[mismatch.where];
  std::string text = fmt::format("\nwrong in {}:\n",
                                 counted(static_cast<double>(of_recording.size()), "recording"));
  std::map<std::string, std::size_t> shown;
  std::size_t shown_in_all = 0;
  for (const Mismatch& mismatch : mismatches) {
    std::size_t& shown_here = shown[mismatch.where];
    if (shown_here >= most_mismatches_of_recording || shown_in_all >= most_mismatches) continue;
    if (shown_here == 0) {
      text += fmt::format("  {} ({}), {}\n", mismatch.recording, mismatch.where,
                          counted(static_cast<double>(of_recording[mismatch.where]), "fact"));
    }
    ++shown_here;
    ++shown_in_all;
    const std::string step =
        mismatch.fact.step < 0 ? "" : fmt::format("step {}, ", mismatch.fact.step);
    text += fmt::format("    {}{}\n      seen:      {}\n      predicted: {}\n", step,
                        mismatch.kernel, mismatch.seen, mismatch.predicted);
  }
  if (shown_in_all < mismatches.size()) {
    text += fmt::format("  and {} more; --json lists all\n",
                        count_words(static_cast<double>(mismatches.size() - shown_in_all)));
  }
  return text;
}

}  // namespace

std::string finding_text(const Finding& finding) {
  std::vector<std::vector<std::string>> rows = {
      {"device", fmt::format("{} ({}, {})", finding.device.name, finding.device.architecture,
                             counted(finding.device.sms, "SM"))},
      {"asked", finding.oracle},
      {"probes",
       fmt::format("{} in {}", count_words(finding.probes), duration_words(finding.seconds))},
      {"hypotheses", hypotheses_words(finding.count)},
  };
  if (finding.mechanism) {
    const bool only = finding.verdict == Verdict::identified;
    rows.push_back({only ? "mechanism" : "simplest", describe(*finding.mechanism)});
  }
  std::string text = fmt::format("{}: {}\n", name_of(finding.verdict), finding.reason);
  text += aligned(rows, 2);
  if (finding.mechanism) text += mechanism_text(finding);
  text += open_text(finding);
  if (!finding.clash.empty()) {
    text += "\nno hypothesis explains these together:\n";
    for (const std::string& recording : finding.clash) text += "  " + recording + '\n';
  }
  if (!finding.mismatches.empty()) text += mismatches_text(finding.mismatches);
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
  return line;
}

std::string narrowed_words(const SurvivingValues& before, const SurvivingValues& after) {
  std::string text;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (after[axis].size() >= before[axis].size()) continue;
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
