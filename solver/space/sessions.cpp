#include "solver/space/sessions.h"

#include <algorithm>
#include <functional>

namespace cuvier {

double openness(const Session& session) {
  double told = 0;
  double open = 0;
  for (const Recording& recording : session) {
    double known = 0;
    for (const Fact& fact : recording.facts) {
      if (fact.lists_sms()) known += static_cast<double>(fact.values.size());
    }
    told += known;
    open += std::max(0.0, static_cast<double>(recording.probe.blocks()) - known);
  }
  return open / (told + 1);
}

std::vector<Session> sessions_of(const std::vector<RecordingSet>& sets) {
  std::vector<Session> sessions;
  for (const RecordingSet& set : sets) {
    bool begins = true;
    for (const Recording& recording : set.recordings) {
      if (recording.fresh || begins) sessions.push_back({});
      sessions.back().push_back(recording);
      begins = false;
    }
  }
  return sessions;
}

void most_telling_first(std::span<Session> sessions) {
  std::ranges::stable_sort(sessions, {}, openness);
}

void most_ordering_first(std::span<Session> sessions) {
  std::ranges::stable_sort(sessions, std::greater{}, [](const Session& session) {
    std::int64_t blocks = 0;
    for (const Recording& recording : session) blocks += recording.probe.blocks();
    return blocks;
  });
  most_telling_first(sessions);
}

}  // namespace cuvier
