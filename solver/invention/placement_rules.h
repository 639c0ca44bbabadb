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
  in_cases,    ///< rules that hold for some blocks alone, and conditions of several parts
  with_marks,  ///< rules that read what another one writes down for each SM (`mark`)
};

/// Rules of `selection` and of `admission` by which each block goes where it was seen to go, where
/// the rest is as this mechanism says: learned from tables of what each block found
/// (placements.h), not by trying formulas one after the other. Each explains all sessions; the
/// smallest first. A rule of marks is in the proposal's mechanism.
std::vector<Proposal> rules_of_placements(const Device& device,
                                          const std::vector<Session>& sessions,
                                          const Hypothesis& mechanism, int axis, Learn learn,
                                          int most_found, const Task& task);

/// Where no rule explains all sessions, since something else differs, too: one that explains more
/// of them than the mechanism does; `explained` says how many.
std::optional<Proposal> best_rule_of_placements(const Device& device,
                                                const std::vector<Session>& sessions,
                                                const Hypothesis& mechanism, int axis,
                                                const Task& task);

}  // namespace cuvier
