#include "cli/hypothesis_argument.h"

#include "hypotheses/assumptions.h"
#include "hypotheses/prediction.h"
#include "reports/model_json.h"

namespace cuvier {

Hypothesis read_hypothesis(const std::string& text, const Device& device) {
  const Hypothesis hypothesis =
      text.ends_with(".json") ? read_model(text) : hypothesis_from_text(text);
  Simulator(device, hypothesis);  // complains where it cannot predict
  return hypothesis;
}

}  // namespace cuvier
