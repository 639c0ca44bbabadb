#pragma once

#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// Recordings that must be taken together: a fresh one, and those that ran after it.
using Session = std::vector<Recording>;

std::vector<Session> sessions_of(const std::vector<RecordingSet>& sets);

/// Sorts by what each tells of where blocks went: who begins with it has less to explain later.
void most_telling_first(std::vector<Session>& sessions);

}  // namespace cuvier
