#pragma once

#include <string>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// A hypothesis that answers for a device, and what is known for and against that.
struct Model {
  Hypothesis hypothesis;
  std::string evidence;
};

/// What recordings of GPUs say of the hypothesis: "explains all 133 facts recorded of this GPU",
/// "never checked on this GPU; contradicted on 3 others (...)".
std::string evidence_for(const Device& device, const Hypothesis& hypothesis);

/// The same of a model file: how it was inferred, if it says so.
std::string evidence_for_file(const Device& device, const std::string& path);

/// Its name, and the evidence: "bfa (never checked on this GPU; ...)".
std::string model_words(const Model& model);

}  // namespace cuvier
