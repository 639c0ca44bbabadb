#include <fmt/format.h>

#include <map>

#include "corpus/recorded_gpus.h"
#include "hypotheses/devices.h"
#include "hypotheses/plausible_models.h"
#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "reports/document/words.h"
#include "reports/finding/model_json.h"
#include "reports/model/model_report.h"
#include "solver/finding/mismatches.h"

namespace cuvier {
namespace {

/// How many of a GPU's recorded facts a hypothesis gets wrong.
struct Tally {
  std::size_t facts = 0;
  std::size_t wrong = 0;
};

bool predicts(const Device& device, const Hypothesis& hypothesis) {
  const bool is_of_its_own = hypothesis.get<TieBreak>() == TieBreak::learned;
  return !is_of_its_own && suffices_for(device, hypothesis);
}

/// By the name of the GPU; of those whose facts suffice for the hypothesis.
std::map<std::string, Tally> tallies(const Hypothesis& hypothesis) {
  std::map<std::string, Tally> of;
  for (const RecordingSet& set : recorded_gpus()) {
    if (!predicts(set.device, hypothesis)) continue;
    Tally& tally = of[set.device.name];
    for (const Recording& recording : set.recordings) tally.facts += recording.facts.size();
    tally.wrong += mismatches(set, hypothesis).size();
  }
  return of;
}

std::string words_of(const Tally& tally) {
  const std::string facts = counted(tally.facts, "fact");
  return tally.wrong == 0 ? fmt::format("explains all {} recorded of this GPU", facts)
                          : fmt::format("contradicted on this GPU: wrong in {} of {} recorded",
                                        count_words(tally.wrong), facts);
}

std::string words_of_others(const std::map<std::string, Tally>& others,
                            const Hypothesis& hypothesis) {
  std::vector<std::string> explained;
  std::vector<std::string> contradicted;
  for (const auto& [gpu, tally] : others) {
    (tally.wrong == 0 ? explained : contradicted).push_back(gpu);
  }
  for (const DeviceFile& file : known_devices()) {
    const auto model = recorded_model(file.device);
    if (model && model->hypothesis == hypothesis && !others.contains(file.device.name)) {
      explained.push_back(file.device.name);
    }
  }
  std::string text = "never checked on this GPU";
  if (!explained.empty()) {
    text += fmt::format("; explains all that was recorded of {}", fmt::join(explained, ", "));
  }
  if (!contradicted.empty()) {
    text += fmt::format("; contradicted on {} ({})", counted(contradicted.size(), "other"),
                        fmt::join(contradicted, ", "));
  }
  return text;
}

}  // namespace

Hypothesis read_hypothesis(const std::string& text, const Device& device) {
  const Hypothesis hypothesis =
      text.ends_with(".json") ? read_model(text) : hypothesis_from_text(text);
  Simulator(device, hypothesis);  // complains where it cannot predict
  return hypothesis;
}

Model read_model_of(const Device& device, const std::string& text) {
  const Hypothesis hypothesis = read_hypothesis(text, device);
  return {
      device, hypothesis,
      text.ends_with(".json") ? evidence_for_file(device, text) : evidence_for(device, hypothesis)};
}

std::vector<Model> plausible_models_of(const Device& device) {
  return mapped(plausible_models(device), [&](const NamedHypothesis& each) {
    return Model{device, each.hypothesis, evidence_for(device, each.hypothesis)};
  });
}

std::string evidence_for(const Device& device, const Hypothesis& hypothesis) {
  const auto others = tallies(hypothesis);
  if (const auto own = others.find(device.name); own != others.end()) return words_of(own->second);
  const auto recorded = recorded_model(device);
  if (recorded && recorded->hypothesis == hypothesis) {
    return fmt::format("explains what was recorded of this GPU: {}", recorded->source);
  }
  return words_of_others(others, hypothesis);
}

std::string evidence_for_file(const Device& device, const std::string& path) {
  const Json json = parse_json(read_file(path), path);
  if (!json.contains("status") || !json.contains("probes")) {
    return evidence_for(device, read_model(path));
  }
  Fields fields(json, Place(path));
  const std::string inferred = fmt::format("inferred: {}, {}", fields.text("status"),
                                           counted(fields.integer("probes", {}), "probe"));
  const std::string gpu = read_model_device(path).name;
  if (gpu == device.name) return inferred;
  return fmt::format("never checked on this GPU; {} of {}", inferred, gpu);
}

std::string model_words(const Model& model) {
  return fmt::format("{} ({})", model_name(model.hypothesis), model.evidence);
}

nlohmann::ordered_json answered_by(const Model& model) {
  return {{"device", model.device.name},
          {"model", model_name(model.hypothesis)},
          {"evidence", model.evidence}};
}

}  // namespace cuvier
