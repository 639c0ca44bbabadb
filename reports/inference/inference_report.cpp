#include "reports/inference/inference_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "probes/json_fields.h"
#include "reports/certificate/certificate.h"
#include "solver/justification/evidence_left.h"

namespace cuvier {
namespace {

std::string in_folder(const std::string& dir, const char* name) {
  return (std::filesystem::path(dir) / name).string();
}

std::optional<Hypothesis> read_hypothesis_in(const Json& json, const std::string& path,
                                             const std::string& field) {
  const auto found = json.find("mechanism");
  if (found == json.end() || found->is_null()) return std::nullopt;
  Hypothesis hypothesis = hypothesis_from_json(*found, path, field);
  if (hypothesis.get<TieBreak>() == TieBreak::learned) {
    Fields fields(json, Place(path));
    hypothesis.order = read_integers(fields.at("order"), fields.place("order"), {});
  }
  return hypothesis;
}

/// Or what comes nearest, where nothing explains everything.
std::optional<Hypothesis> mechanism_of(const Json& model, const std::string& path) {
  if (auto mechanism = read_hypothesis_in(model, path, "mechanism")) return mechanism;
  const auto nearest = model.find("nearest");
  if (nearest == model.end()) return std::nullopt;
  return read_hypothesis_in(*nearest, path, "nearest.mechanism");
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
  std::size_t index = 0;
  predict_each(
      report.recordings, *report.mechanism,
      [&](const Recording& recording) { task.doing("predicting " + recording.name()); },
      [&](const Recording&, std::vector<Mismatch> wrong) {
        report.wrong[index++] = std::move(wrong);
      });
  report.changes = single_changes(report.recordings, *report.mechanism, task);
  return report;
}

AxisRole role_of(const InferenceReport& report, int axis) {
  if (report.decisions.considered[axis].size() < 2) return AxisRole::given;
  if (report.mechanism && !matters(axis, *report.mechanism)) return AxisRole::idle;
  if (report.decisions.surviving()[axis].size() < 2) return AxisRole::settled;
  return report.model.verdict == Verdict::identified ? AxisRole::alike : AxisRole::open;
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
  if (!report.mechanism || report.model.verdict == Verdict::refuted) return sentences;
  const Hypothesis algorithm_1;
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisRole role = role_of(report, axis);
    if (role == AxisRole::idle || role == AxisRole::given) continue;
    const int value = report.mechanism->values[axis];
    std::string text(axis_info(axis).meaning);
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    text += ": ";
    text += axis_value(axis, value).meaning;
    sentences.push_back(
        {axis, role != AxisRole::open, value != algorithm_1.values[axis], std::move(text)});
  }
  std::ranges::stable_sort(sentences, std::ranges::greater(), &Sentence::unlike_algorithm_1);
  return sentences;
}

}  // namespace cuvier
