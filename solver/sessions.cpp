#include "solver/sessions.h"

namespace cuvier {

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

}  // namespace cuvier
