#pragma once

#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "solver/cancellation/task.h"
#include "solver/space/diagram.h"
#include "solver/space/paths.h"
#include "solver/space/precedences.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// What one session is worth among hypotheses that the others have not pruned.
inline constexpr Effort kEffortAlone{20'000, 2'000'000};

/// What each of several sessions of recordings leaves of the hypotheses, taken alone: so any
/// of them can be left out, and what the others leave is an intersection. A learned order has
/// to be given.
class Explanations {
 public:
  /// All sessions are of the device. `order` is what tie_break=learned means; without one, that
  /// is not assumed. Throws Stopped where the task is to end, and GaveUp
  /// (solver/cancellation/task.h) where a recording tells too little, also of what explains all
  /// the others; `effort_alone`: what a session may take before these are all that it is asked
  /// about.
  Explanations(const Device& device, const Assumptions& assumptions, std::vector<int> order,
               std::vector<Session> sessions, const Task& task,
               const Effort& effort_alone = kEffortAlone);
  /// Some sessions of these, with the set as what is assumed: for another thread.
  Explanations(const Explanations& all, const std::vector<int>& sessions, Ref set);

  const Device& device() const { return device_; }
  const std::vector<Session>& sessions() const { return sessions_; }
  int size() const { return static_cast<int>(sessions_.size()); }

  Diagrams& diagrams() { return diagrams_; }

  /// What was assumed.
  Ref assumed() const { return assumed_; }

  /// Those that explain the session, and of those about which that is not known() all.
  Ref of(int session) const { return explaining_[session]; }

  /// Of which hypotheses it is known whether they explain the session: of all, as a rule. Where
  /// that took too much, of those at least that explain all the others.
  Ref known(int session) const { return known_[session]; }

  /// Sessions of which not all is known.
  const std::vector<int>& inexact() const { return inexact_; }

  /// Makes it known of this set, too. Throws GaveUp.
  void look_closer(int session, Ref set);

  /// Those of the set that explain every session.
  Ref all_of(Ref set);

  /// From here on it is as if everything explained these.
  void leave_out(const std::vector<int>& sessions);

  /// Those of the set that explain these recordings, which are any of the device. Throws GaveUp.
  Ref explaining(const Session& session, Ref set, const Effort& most = {});

  /// Whether any of the set does. Throws GaveUp.
  bool any_explains(const Session& session, Ref set);

 private:
  /// Those that explain a session, in diagrams of their own: all cores can look for some.
  struct Explaining {
    Diagrams diagrams;
    Ref set;
  };

  /// `enough`: strands through the whole session. `task` is as in explain().
  Explaining alone(const Session& session, Ref set, const Effort& most, std::size_t enough,
                   const Task& task = {}) const;

  Device device_;
  Precedences order_;
  std::vector<Session> sessions_;
  Diagrams diagrams_;
  Ref assumed_;
  std::vector<Ref> explaining_;
  std::vector<Ref> known_;
  std::vector<int> inexact_;
};

}  // namespace cuvier
