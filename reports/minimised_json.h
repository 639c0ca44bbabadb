#pragma once

#include <nlohmann/json_fwd.hpp>

#include "solver/minimise/minimise.h"
#include "solver/refuted/refutation.h"

namespace cuvier {

/// `probe`, its `size`, the size `before`, and whether it is 1-minimal.
nlohmann::ordered_json minimised_json(const Minimised& minimised, const Probe& before);

/// The fact that refutes, and the `recordings` as lines of a recording file have them.
nlohmann::ordered_json refutation_json(const Refutation& refutation);

/// A recording file of what refutes: it begins a session, and goes on in it.
std::string recording_lines(const RecordingSet& set);

}  // namespace cuvier
