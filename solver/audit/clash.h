#pragma once

#include <vector>

#include "solver/cancellation/task.h"
#include "solver/space/explanations.h"

namespace cuvier {

/// Sessions that no hypothesis of a set explains together, though some explain any of them
/// that are fewer: a minimal unsatisfiable subset of the recordings.
struct Clash {
  std::vector<int> sessions;  ///< ascending; none: the set was empty from the start
  bool smallest = false;      ///< proved: none has fewer sessions
  int others = 0;             ///< all other minimal ones of at most `most_counted` sessions
  int most_counted = 0;
};

/// A clash of a set that the sessions leave nothing of: the smallest, where sets of sessions can be
/// tried by size in about 20,000 intersections; if that is larger, one from which nothing can go.
/// Sessions that could not be looked at alone (Explanations::inexact) are used only where the
/// others do not clash.
Clash find_clash(Explanations& explanations, Ref set);

/// Of sessions that clash, with only the facts that the clash needs: if any one more goes, some
/// hypothesis of those assumed explains what is left. Facts without which a solver gives up stay.
std::vector<Session> needed_facts(Explanations& clashing, const Task& task);

/// Where nothing of a set explains all sessions: what explains the most of them.
struct NearestMiss {
  Hypothesis hypothesis;      ///< of those that explain most, the one most like the model
  std::vector<int> left_out;  ///< sessions that it does not explain
  double equals = 0;          ///< hypotheses that explain as many
};

/// The most sessions that can be explained together, each counting once (MaxSAT, exact), and
/// by what; `model` says which of these to prefer.
NearestMiss nearest_miss(Explanations& explanations, Ref set, const Hypothesis& model);

}  // namespace cuvier
