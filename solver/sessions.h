#pragma once

#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// Recordings that must be taken together: a fresh one, and those that ran after it.
using Session = std::vector<Recording>;

std::vector<Session> sessions_of(const std::vector<RecordingSet>& sets);

}  // namespace cuvier
