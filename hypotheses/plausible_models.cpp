#include "hypotheses/plausible_models.h"

#include <algorithm>

#include "hypotheses/devices.h"

namespace cuvier {
namespace {

/// What explains the recordings of the GPU of this file.
std::optional<NamedHypothesis> model_of(const DeviceFile& file) {
  const auto named = named_hypotheses();
  const std::string gpu = file.device.architecture == "sm_90" ? "hopper" : file.name;
  const auto found = std::ranges::find(named, gpu + "-as-recorded", &NamedHypothesis::name);
  if (found == named.end()) return std::nullopt;
  return *found;
}

}  // namespace

bool suffices_for(const Device& device, const Hypothesis& hypothesis) {
  const Assumptions permitted = Assumptions::all(device);
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!permitted.allows(axis, hypothesis.values[axis])) return false;
  }
  return true;
}

std::optional<NamedHypothesis> recorded_model(const Device& device) {
  const DeviceFile* const file = known_file_of(device);
  const auto model = file ? model_of(*file) : std::nullopt;
  return model && suffices_for(device, model->hypothesis) ? model : std::nullopt;
}

std::vector<NamedHypothesis> plausible_models(const Device& device) {
  if (const auto recorded = recorded_model(device)) return {*recorded};
  std::vector<NamedHypothesis> plausible = {named_hypotheses().front()};
  for (const DeviceFile& file : known_devices()) {
    const auto model = model_of(file);
    const bool is_new = model && std::ranges::find(plausible, model->name,
                                                   &NamedHypothesis::name) == plausible.end();
    if (is_new && suffices_for(device, model->hypothesis)) plausible.push_back(*model);
  }
  return plausible;
}

std::string model_name(const Hypothesis& hypothesis) {
  const auto named = named_hypotheses();
  const auto found = std::ranges::find(named, hypothesis, &NamedHypothesis::hypothesis);
  return found == named.end() ? describe(hypothesis) : std::string(found->name);
}

}  // namespace cuvier
