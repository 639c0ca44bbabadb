#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// Sessions, as far as they have to be explained as a whole.
class PartsOfSessions {
 public:
  explicit PartsOfSessions(const std::vector<Session>& sessions);

  /// What can be explained by itself under this mechanism: where nothing but local memory outlives
  /// a probe, each recording without any, and sessions with some; else whole sessions.
  const std::vector<Session>& under(const Hypothesis& mechanism) const;
  /// The same where the axis is to have another rule, which may have something outlive a probe.
  const std::vector<Session>& under(Hypothesis mechanism, int axis) const;

 private:
  const std::vector<Session>& sessions_;
  std::vector<Session> parts_;
};

}  // namespace cuvier
