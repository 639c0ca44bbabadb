#include "reports/inference/report_json.h"

#include <array>
#include <cmath>

#include "probes/json_fields.h"
#include "reports/finding/mismatch_json.h"

namespace cuvier {
namespace {

constexpr int schema = 1;
constexpr std::array<std::string_view, 5> role_names = {"settled", "open", "alike", "idle",
                                                        "given"};
constexpr std::array<std::string_view, 4> state_names = {"left", "refuted", "last_resort",
                                                         "excluded"};

template <class Enum, std::size_t N>
std::string_view name_in(const std::array<std::string_view, N>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

Json evidence_json(const Decisions& decisions, int axis) {
  Json json = Json::array();
  for (int step = 0; step < std::ssize(decisions.steps); ++step) {
    if (decisions.steps[step].now_surviving.contains(axis)) json.push_back(step);
  }
  return json;
}

Json sentences_json(const InferenceReport& report) {
  Json json = Json::array();
  for (const Sentence& sentence : sentences_of(report)) {
    const int axis = sentence.axis;
    json.push_back({{"text", sentence.text},
                    {"axis", axis_info(axis).name},
                    {"value", axis_value(axis, report.mechanism->values[axis]).name},
                    {"settled", sentence.settled},
                    {"unlike_algorithm_1", sentence.unlike_algorithm_1},
                    {"evidence", evidence_json(report.decisions, axis)}});
  }
  return json;
}

Json axis_json(const InferenceReport& report, int axis) {
  const AxisInfo& info = axis_info(axis);
  Json json = {{"name", info.name},
               {"meaning", info.meaning},
               {"role", name_in(role_names, role_of(report, axis))},
               {"values", Json::array()}};
  for (int value = 0; value < axis_size(axis); ++value) {
    const ValueFate fate = fate_of(report, axis, value);
    Json& row = json["values"].emplace_back(Json{{"name", axis_value(axis, value).name},
                                                 {"meaning", axis_value(axis, value).meaning},
                                                 {"state", name_in(state_names, fate.state)},
                                                 {"refuted_by", nullptr}});
    if (fate.refuted_by) row["refuted_by"] = *fate.refuted_by;
  }
  return json;
}

/// The first recording of each name.
std::map<std::string, int> recordings_by_name(const RecordingSet& set) {
  std::map<std::string, int> by_name;
  for (int i = 0; i < std::ssize(set.recordings); ++i) {
    by_name.emplace(set.recordings[i].name(), i);
  }
  return by_name;
}

Json steps_json(const InferenceReport& report) {
  const auto recordings = recordings_by_name(report.recordings);
  const Json decisions = to_json(report.decisions);
  Json json = Json::array();
  for (Json step : decisions["steps"]) {
    const auto recording = recordings.find(step["probe"].get<std::string>());
    step["recording"] = nullptr;
    if (recording != recordings.end()) step["recording"] = recording->second;
    const double left = step["left"];
    step["left_bits"] = left > 0 ? Json(std::log2(left)) : Json(nullptr);
    json.push_back(std::move(step));
  }
  return json;
}

Json recordings_json(const InferenceReport& report) {
  Json json = Json::array();
  for (std::size_t i = 0; i < report.recordings.recordings.size(); ++i) {
    const Recording& recording = report.recordings.recordings[i];
    Json row = to_json(recording);
    row["fresh"] = recording.fresh;
    row["wrong"] = wrong_placements_json(report.wrong[i]);
    json.push_back(std::move(row));
  }
  return json;
}

Json matrix_json(const InferenceReport& report) {
  Json rows = Json::array();
  for (const SingleChange& change : report.changes) {
    rows.push_back({{"axis", axis_info(change.axis).name},
                    {"value", axis_value(change.axis, change.value).name},
                    {"contradicted_by", change.contradicted_by}});
  }
  return {{"rows", std::move(rows)}};
}

}  // namespace

nlohmann::ordered_json report_json(const InferenceReport& report) {
  Json json = {{"schema", schema},
               {"kind", "inference"},
               {"title", report.model.device.name},
               {"sources", {report.folder}},
               {"model", report.model.json},
               {"sentences", sentences_json(report)},
               {"axes", Json::array()},
               {"steps", steps_json(report)},
               {"recordings", recordings_json(report)},
               {"matrix", matrix_json(report)},
               {"certificate", nullptr}};
  for (int axis = 0; axis < kAxes; ++axis) json["axes"].push_back(axis_json(report, axis));
  if (report.lemmas >= 0) {
    json["certificate"] = {{"lemmas", report.lemmas},
                           {"command", "cuvier verify " + report.folder}};
  }
  return json;
}

}  // namespace cuvier
