#pragma once

#include <string>

#include "probes/observation.h"
#include "probes/oracle.h"

namespace cuvier {

/// A table for people: by step and kernel, how many blocks started and where.
std::string observation_text(const Observation& observation, const Probe& probe);

/// The same for an answer; where only facts are known, those.
std::string answer_text(const Answer& answer, const Probe& probe);

/// An action as people write it: "launch k1", "release k2, k1[0,3]".
std::string action_words(const Action& action, const Probe& probe);

}  // namespace cuvier
