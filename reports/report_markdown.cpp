#include "reports/report_markdown.h"

#include <fmt/format.h>

#include "probes/json_fields.h"
#include "reports/markdown.h"
#include "reports/words.h"

namespace cuvier {
namespace {

std::string step_name(const InferenceReport& report, std::optional<int> step) {
  return step ? report.decisions.steps[*step].probe : "";
}

std::string fate_words(const InferenceReport& report, const ValueFate& fate) {
  switch (fate.state) {
    case ValueState::left:
      return "left";
    case ValueState::refuted:
      return "refuted by " + step_name(report, fate.refuted_by);
    case ValueState::last_resort:
      return "not needed";
    case ValueState::excluded:
      return "not considered";
  }
  return {};
}

std::string_view role_words(AxisRole role) {
  switch (role) {
    case AxisRole::settled:
      return "settled";
    case AxisRole::open:
      return "open";
    case AxisRole::alike:
      return "no probe tells what is left apart, which is proved";
    case AxisRole::idle:
      return "without effect, given what is settled";
    case AxisRole::given:
      return "nothing else was considered";
  }
  return {};
}

std::string axes_table(const InferenceReport& report) {
  std::string text = "| axis | | value | |\n| --- | --- | --- | --- |\n";
  for (int axis = 0; axis < kAxes; ++axis) {
    std::string first = fmt::format("`{}`", axis_info(axis).name);
    std::string role(role_words(role_of(report, axis)));
    for (int value = 0; value < axis_size(axis); ++value) {
      text += fmt::format("| {} | {} | `{}` | {} |\n", std::exchange(first, ""),
                          std::exchange(role, ""), axis_info(axis).values[value].name,
                          in_cell(fate_words(report, fate_of(report, axis, value))));
    }
  }
  return text;
}

std::string steps_table(const InferenceReport& report) {
  std::string text =
      "| probe | why it was asked | bits | hypotheses left | seconds |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const Decision& step : report.decisions.steps) {
    text +=
        fmt::format("| {} | {} | {:.1f} | {} | {:.1f} |\n", in_cell(step.probe), in_cell(step.why),
                    step.gained_bits, counted(step.left, "hypothesis", "hypotheses"), step.seconds);
  }
  return text;
}

std::string launches_table(const Json& confirmed) {
  std::string text = "| | kind: launches |\n| --- | --- |\n";
  for (const auto& [feature, kinds] : confirmed.at("launches").items()) {
    std::string row;
    for (const auto& [kind, launches] : kinds.items()) {
      row += fmt::format("{}{}: {}", row.empty() ? "" : "; ", kind, launches.get<int>());
    }
    text += fmt::format("| {} | {} |\n", feature, row);
  }
  return text;
}

std::string discarded_list(const Json& model) {
  std::string text;
  for (const Json& each : model.at("discarded")) {
    text += fmt::format("- {}: {} of {} runs do not count: {}\n",
                        each.at("probe").get<std::string>(), each.at("discarded").get<int>(),
                        each.at("runs").get<int>(), each.at("reason").get<std::string>());
  }
  return text;
}

}  // namespace

std::string report_markdown(const InferenceReport& report) {
  const Json& model = report.model.json;
  std::string text = fmt::format(
      "# {}\n\n**{}**: {}. Asked: {}.\n", report.model.device.name, name_of(report.model.verdict),
      model.at("reason").get<std::string>(), model.at("oracle").get<std::string>());
  if (const auto sentences = sentences_of(report); !sentences.empty()) {
    text += "\n## What it does\n\n";
    for (const Sentence& sentence : sentences) {
      text += fmt::format("- {}{}{}\n", sentence.text,
                          sentence.unlike_algorithm_1 ? " (unlike Algorithm 1)" : "",
                          sentence.settled ? "" : " (or otherwise: open)");
    }
  }
  text += "\n## What became of each value\n\n" + axes_table(report);
  text += "\n## How that is known\n\n" + steps_table(report);
  if (model.contains("confirmed"))
    text += "\n## What was asked beside that\n\n" + launches_table(model.at("confirmed"));
  if (const std::string discarded = discarded_list(model); !discarded.empty()) {
    text += "\n## Runs that do not count\n\n" + discarded;
  }
  if (report.lemmas >= 0) {
    text += fmt::format("\n## How to check it\n\n`cuvier verify {}` ({}).\n", report.folder,
                        counted(report.lemmas, "lemma"));
  }
  return text;
}

}  // namespace cuvier
