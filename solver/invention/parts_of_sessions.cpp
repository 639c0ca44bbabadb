#include "solver/invention/parts_of_sessions.h"

#include <algorithm>

#include "hypotheses/axes.h"

namespace cuvier {
namespace {

/// Whether something outlives a probe under it, beside local memory.
bool keeps_state(const Hypothesis& mechanism) {
  return PointerReset::may_survive(mechanism.get<PointerReset>()) ||
         CursorReset::may_survive(mechanism.get<CursorReset>()) ||
         ConfigChange::is_remembered(mechanism.get<ConfigChange>());
}

std::vector<Session> parts_of(const std::vector<Session>& sessions) {
  std::vector<Session> parts;
  for (const Session& session : sessions) {
    const auto has_local = [](const Recording& recording) {
      return std::ranges::any_of(recording.probe.kernels,
                                 [](const Kernel& kernel) { return kernel.local > 0; });
    };
    const bool stays = session.front().opening || session.size() == 1;
    if (stays || std::ranges::any_of(session, has_local)) parts.push_back(session);
    if (stays) continue;
    for (const Recording& recording : session) {
      if (has_local(recording)) continue;
      parts.push_back({recording});
      parts.back().front().fresh = true;
    }
  }
  return parts;
}

}  // namespace

PartsOfSessions::PartsOfSessions(const std::vector<Session>& sessions)
    : sessions_(sessions), parts_(parts_of(sessions)) {}

const std::vector<Session>& PartsOfSessions::under(const Hypothesis& mechanism) const {
  return keeps_state(mechanism) ? sessions_ : parts_;
}

const std::vector<Session>& PartsOfSessions::under(Hypothesis mechanism, int axis) const {
  if (axis == index_of<PointerReset>()) mechanism.set<PointerReset>(PointerReset::never);
  if (axis == index_of<CursorReset>()) mechanism.set<CursorReset>(CursorReset::never);
  if (axis == index_of<ConfigChange>()) return sessions_;
  return under(mechanism);
}

}  // namespace cuvier
