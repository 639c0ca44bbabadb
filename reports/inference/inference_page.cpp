#include <fmt/format.h>

#include "probes/json_fields.h"
#include "probes/named.h"
#include "reports/document/words.h"
#include "reports/inference/inference_report.h"
#include "reports/inference/verdict_words.h"

namespace cuvier {
namespace {

std::string fate_words(const InferenceReport& report, const ValueFate& fate) {
  if (fate.state == ValueState::refuted) {
    return "refuted by " + report.decisions.steps[*fate.refuted_by].probe;
  }
  return std::string(named(fate.state, {"left", "refuted", "not needed", "not considered"}));
}

std::string_view role_words(AxisRole role) {
  return named(role, {"settled", "open", "no probe tells what is left apart, which is proved",
                      "without effect, given what is settled", "nothing else was considered"});
}

Section axes_section(const InferenceReport& report) {
  Table table{"What became of each value", {"axis", "", "value", ""}, {}};
  for (int axis = 0; axis < kAxes; ++axis) {
    Text first = code(axis_info(axis).name);
    std::string role(role_words(role_of(report, axis)));
    for (int value = 0; value < axis_size(axis); ++value) {
      table.rows.push_back({std::exchange(first, {}), std::exchange(role, ""),
                            code(axis_value(axis, value).name),
                            fate_words(report, fate_of(report, axis, value))});
    }
  }
  return {"What became of each value", {std::move(table)}};
}

Section steps_section(const InferenceReport& report) {
  Table table{
      "How that is known", {"probe", "why it was asked", "bits", "hypotheses left", "seconds"}, {}};
  for (const Decision& step : report.decisions.steps) {
    table.rows.push_back({step.probe, step.why, fmt::format("{:.1f}", step.gained_bits),
                          counted(step.left, "hypothesis", "hypotheses"),
                          fmt::format("{:.1f}", step.seconds)});
  }
  return {"How that is known", {std::move(table)}};
}

Section launches_section(const Json& confirmed) {
  Table table{"Launches of each kind", {"", "kind: launches"}, {}};
  for (const auto& [feature, kinds] : confirmed.at("launches").items()) {
    std::string row;
    for (const auto& [kind, launches] : kinds.items()) {
      row += fmt::format("{}{}: {}", row.empty() ? "" : "; ", kind, launches.get<int>());
    }
    table.rows.push_back({feature, row});
  }
  return {"What was asked beside that", {std::move(table)}};
}

List discarded_list(const Json& model) {
  List list;
  for (const Json& each : model.at("discarded")) {
    list.lines.emplace_back(fmt::format("{}: {} of {} runs do not count: {}",
                                        each.at("probe").get<std::string>(),
                                        each.at("discarded").get<int>(), each.at("runs").get<int>(),
                                        each.at("reason").get<std::string>()));
  }
  return list;
}

}  // namespace

Page inference_page(const InferenceReport& report) {
  const Json& model = report.model.json;
  Page page;
  page.title = report.model.device.name;
  page.about = "Asked: " + Text(model.at("oracle").get<std::string>()) + ".";
  page.verdict = verdict_words(report);
  List sentences;
  for (const Sentence& sentence : sentences_of(report)) {
    sentences.lines.emplace_back(fmt::format(
        "{}{}{}", sentence.text, sentence.unlike_algorithm_1 ? " (unlike Algorithm 1)" : "",
        sentence.settled ? "" : " (or otherwise: open)"));
  }
  if (!sentences.lines.empty()) page.sections.push_back({"What it does", {sentences}});
  page.sections.push_back(axes_section(report));
  page.sections.push_back(steps_section(report));
  if (model.contains("confirmed")) {
    page.sections.push_back(launches_section(model.at("confirmed")));
  }
  if (List discarded = discarded_list(model); !discarded.lines.empty()) {
    page.sections.push_back({"Runs that do not count", {std::move(discarded)}});
  }
  if (report.lemmas >= 0) {
    page.sections.push_back({"How to check it",
                             {code("cuvier verify " + report.folder) +
                              fmt::format(" ({}).", counted(report.lemmas, "lemma"))}});
  }
  return page;
}

}  // namespace cuvier
