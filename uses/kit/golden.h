#pragma once

#include <cstdint>

#include "hypotheses/hypothesis.h"
#include "probes/fact.h"

namespace cuvier {

/// Probes that show what makes a model what it is, each in a fresh session, with the SM of each
/// block as it predicts it: of random ones, those that tell it from a hypothesis that fewer than
/// two before do. Hypotheses are those that differ in one axis, and those that have a name.
struct Golden {
  RecordingSet set;
  std::vector<Hypothesis> rivals = {};
  int told_apart = 0;  ///< of these, by the probes
  int told_once = 0;   ///< of these, by a single probe
};

/// Throws Error where the device's facts do not suffice for the model.
Golden golden_probes(const Device& device, const Hypothesis& model, std::uint64_t seed);

}  // namespace cuvier
