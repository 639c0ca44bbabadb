#include "hypotheses/plausible_models.h"
#include "hypotheses/simulator.h"
#include "reports/finding/model_json.h"
#include "reports/model/model_report.h"

namespace cuvier {

Hypothesis read_hypothesis(const std::string& text, const Device& device) {
  const Hypothesis hypothesis =
      text.ends_with(".json") ? read_model(text) : hypothesis_from_text(text);
  Simulator(device, hypothesis);  // complains where it cannot predict
  return hypothesis;
}

Model read_model_of(const Device& device, const std::string& text) {
  const Hypothesis hypothesis = read_hypothesis(text, device);
  return {hypothesis, text.ends_with(".json") ? evidence_for_file(device, text)
                                              : evidence_for(device, hypothesis)};
}

std::vector<Model> plausible_models_of(const Device& device) {
  std::vector<Model> models;
  for (const NamedHypothesis& each : plausible_models(device)) {
    models.push_back({each.hypothesis, evidence_for(device, each.hypothesis)});
  }
  return models;
}

}  // namespace cuvier
