#pragma once

#include <span>
#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// Recordings that must be taken together: a fresh one, and those that ran after it.
using Session = std::vector<Recording>;

std::vector<Session> sessions_of(const std::vector<RecordingSet>& sets);

/// How many blocks have a place that the session leaves open, for each that it tells.
double openness(const Session& session);

/// Sorts by openness, the least first: who begins with it has less to explain later.
void most_telling_first(std::span<Session> sessions);

/// The same; of equals, the one with most blocks first, which says most of an order of SMs.
void most_ordering_first(std::span<Session> sessions);

}  // namespace cuvier
