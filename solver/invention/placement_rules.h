#pragma once

#include <optional>
#include <vector>

#include "solver/cancellation/task.h"
#include "solver/invention/proposal.h"

namespace cuvier {

/// What is learned of placements. All but `one_rule` can be made to explain much, so that comes
/// first.
enum class Learn {
  one_rule,
  two_parts,   ///< any few keys; a condition before the own key; one on two names together
  in_cases,    ///< rules that hold for some blocks alone, and conditions of several parts
  with_marks,  ///< rules that read what another one writes down for each SM (`mark`)
  most,        ///< rules that choose as was seen in most sessions, where there is none for all
};

/// Whether a rule of the axis is learned of them.
bool is_learned_of_placements(int axis, const Hypothesis& mechanism);

struct RulesOfPlacements {
  std::vector<Proposal> found;  ///< each explains all sessions; the smallest first
  /// Where there is none: a rule by which all blocks that were looked at go where they were seen to
  /// go (of `most`: in most sessions), and that explains more sessions than the mechanism does.
  /// Something else differs, too. Proposal::explained says how many.
  std::optional<Proposal> best;
};

/// Rules of `selection`, `admission` or `priority` by which each block goes where it was seen to
/// go, when it was seen, where the rest is as this mechanism says: learned from tables of what each
/// block found (placements.h), not by trying formulas one after the other. A rule of marks is in
/// the proposal's mechanism.
RulesOfPlacements rules_of_placements(const Device& device, const std::vector<Session>& sessions,
                                      const Hypothesis& mechanism, int axis, Learn learn,
                                      int most_found, const Task& task);

}  // namespace cuvier
