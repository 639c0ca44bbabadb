#include "reports/inference/inference_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "probes/named.h"
#include "reports/certificate/certificate.h"
#include "reports/document/words.h"
#include "reports/finding/model_json.h"
#include "solver/justification/evidence_left.h"

namespace cuvier {
namespace {

std::string in_folder(const std::string& dir, const char* name) {
  return (std::filesystem::path(dir) / name).string();
}

/// Or what comes nearest, where nothing explains everything.
std::optional<Hypothesis> mechanism_of(const Json& model, const std::string& path) {
  if (auto mechanism = mechanism_in(model, Place(path))) return mechanism;
  const auto nearest = model.find("nearest");
  if (nearest == model.end()) return std::nullopt;
  return mechanism_in(*nearest, Place(path).field("nearest"));
}

int count_lemmas(const std::string& dir) {
  if (!std::filesystem::is_directory(certificate_folder(dir))) return -1;
  int lemmas = 0;
  for (const auto& entry : std::filesystem::directory_iterator(certificate_folder(dir))) {
    lemmas += entry.path().extension() == ".smt2";
  }
  return lemmas;
}

bool survives(const std::vector<int>& values, int value) {
  return std::ranges::find(values, value) != values.end();
}

constexpr int report_schema = 1;

std::string_view name_of(AxisRole role) {
  return named(role, {"settled", "open", "alike", "idle", "given"});
}

std::string_view name_of(ValueState state) {
  return named(state, {"left", "refuted", "last_resort", "excluded"});
}

/// Whether the axis says something of the mechanism.
bool says_something(const InferenceReport& report, int axis) {
  if (!report.mechanism || report.model.verdict == Verdict::refuted) return false;
  const AxisRole role = role_of(report, axis);
  return role != AxisRole::idle && role != AxisRole::given;
}

/// And another thing than of Algorithm 1.
bool unlike_algorithm_1(const InferenceReport& report, int axis) {
  return says_something(report, axis) &&
         report.mechanism->values[axis] != Hypothesis().values[axis];
}

Json axis_json(const InferenceReport& report, int axis) {
  const AxisInfo& info = axis_info(axis);
  Json json = {{"name", info.name},
               {"meaning", info.meaning},
               {"role", name_of(role_of(report, axis))},
               {"unlike_algorithm_1", unlike_algorithm_1(report, axis)},
               {"values", Json::array()}};
  for (int value = 0; value < axis_size(axis); ++value) {
    const ValueFate fate = fate_of(report, axis, value);
    Json& row = json["values"].emplace_back(Json{{"name", axis_value(axis, value).name},
                                                 {"meaning", axis_value(axis, value).meaning},
                                                 {"sentence", value_sentence(axis, value)},
                                                 {"state", name_of(fate.state)},
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
    row["contradicts"] = std::vector<int>(recording.probe.script.size());
    json.push_back(std::move(row));
  }
  for (const SingleChange& change : report.changes) {
    for (const auto& [recording, step] : change.contradicted_by) {
      Json& count = json[recording]["contradicts"][std::max(step, 0)];
      count = count.get<int>() + 1;
    }
  }
  return json;
}

Json matrix_json(const InferenceReport& report) {
  Json rows = Json::array();
  for (const SingleChange& change : report.changes) {
    Json recordings = Json::array();
    for (const auto& [recording, step] : change.contradicted_by) recordings.push_back(recording);
    rows.push_back({{"axis", axis_info(change.axis).name},
                    {"value", axis_value(change.axis, change.value).name},
                    {"contradicted_by", std::move(recordings)}});
  }
  return {{"rows", std::move(rows)}};
}

}  // namespace

InferenceReport read_inference(const std::string& dir, const Task& task) {
  InferenceReport report;
  report.folder = dir;
  report.model = read_claimed_model(model_file(dir));
  report.mechanism = mechanism_of(report.model.json, model_file(dir));
  report.decisions = read_decisions(in_folder(dir, "decisions.json"));
  report.recordings = read_recordings(recordings_file(dir));
  if (report.model.voted) {
    report.recordings = evidence_left(report.recordings, report.model.assumed, true, task).counted;
  }
  report.lemmas = count_lemmas(dir);
  report.wrong.resize(report.recordings.recordings.size());
  if (!report.mechanism) return report;
  Simulator simulator(report.recordings.device, *report.mechanism);
  for (std::size_t index = 0; index < report.wrong.size(); ++index) {
    const Recording& recording = report.recordings.recordings[index];
    task.doing({"predicting " + recording.name(), index, report.wrong.size()});
    report.wrong[index] = mismatches(recording, simulator.replay(recording));
  }
  report.changes = single_changes(report.recordings, *report.mechanism, task);
  return report;
}

AxisRole role_of(const InferenceReport& report, int axis) {
  if (report.decisions.considered[axis].size() < 2) return AxisRole::given;
  if (report.mechanism && !matters(axis, *report.mechanism)) return AxisRole::idle;
  if (report.decisions.surviving()[axis].size() < 2) return AxisRole::settled;
  if (report.model.verdict == Verdict::identified) return AxisRole::alike;
  const Json& open = report.model.json.at("open");
  return std::ranges::find(open, axis_info(axis).name) != open.end() ? AxisRole::open
                                                                     : AxisRole::idle;
}

ValueFate fate_of(const InferenceReport& report, int axis, int value) {
  const Decisions& decisions = report.decisions;
  if (!survives(decisions.considered[axis], value)) return {ValueState::excluded, {}};
  bool there = true;
  std::optional<int> since;
  for (int step = 0; step < std::ssize(decisions.steps); ++step) {
    const auto& now = decisions.steps[step].now_surviving;
    const auto found = now.find(axis);
    if (found == now.end()) continue;
    const bool still = survives(found->second, value);
    if (there && !still) since = step;
    there = still;
  }
  if (there) return {ValueState::left, {}};
  if (axis_value(axis, value).last_resort) return {ValueState::last_resort, {}};
  return {ValueState::refuted, since};
}

std::vector<Sentence> sentences_of(const InferenceReport& report) {
  std::vector<Sentence> sentences;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!says_something(report, axis)) continue;
    sentences.push_back({role_of(report, axis) != AxisRole::open, unlike_algorithm_1(report, axis),
                         value_sentence(axis, report.mechanism->values[axis])});
  }
  std::ranges::stable_sort(sentences, std::ranges::greater(), &Sentence::unlike_algorithm_1);
  return sentences;
}

nlohmann::ordered_json report_json(const InferenceReport& report) {
  Json json = {{"schema", report_schema},
               {"kind", "inference"},
               {"title", report.model.device.name},
               {"sources", {report.folder}},
               {"model", report.model.json},
               {"verdict", page_json(inference_page(report))["verdict"]},
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
