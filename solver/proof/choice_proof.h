#pragma once

#include <functional>
#include <optional>
#include <string>

#include "hypotheses/axes/selection.h"
#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "solver/proof/query_trace.h"
#include "solver/smt/statement.h"

namespace cuvier {

// What is to be shown of picks: how many places each takes (batches_proof.cpp), and on which SM
// (choice_proof.cpp, key_changes.cpp).

/// What is to be shown for each pick to take as many places under two hypotheses, whatever is left
/// of its kernel; none where they count what is left, or deal out blocks, in different ways.
std::optional<Statement> same_pick_sizes(const Device& device, const Hypothesis& a,
                                         const Hypothesis& b);

ChoiceAsks asks_of_choice(const Device& device, const Hypothesis& hypothesis);

/// Why the choice of an SM may differ under two hypotheses whose SMs answer alike; none if it
/// cannot. Both choose among SMs of which nothing is known, from every position of the cursors;
/// who asks the same questions in the same order gets the same answers, and goes to the same SM.
/// `moved`: sessions begin once every SM got a block, so that cursors which never return to the
/// start are not there. `return_alike`: whether that was shown (same_returns); asked where it
/// matters.
std::optional<std::string> choice_differs(
    const Device& device, const Hypothesis& a, const Hypothesis& b, bool moved = false,
    const std::function<bool()>& return_alike = [] { return false; });

/// That the cursors of both return to the start at the same times.
Statement same_returns(const Device& device, const Hypothesis& a, const Hypothesis& b);

/// What is to be shown for both to choose the same SM where they ask different questions, a flat
/// choice and one of groups and their SMs, say: that the answers which lead to it are the same.
/// None where a cursor moves, groups take turns, a block may follow the one before it, or blocks
/// are numbered by what SMs were compared by.
std::optional<Statement> same_choices(const Device& device, const Hypothesis& a,
                                      const Hypothesis& b);

/// Whether the SM chosen for a block is chosen for the next one of its kernel, too, if that fits
/// there: given that other SMs answer as before, and that its usage has not shrunk. `returns`:
/// the cursors return to the start before each of the two.
bool choice_stays(const Device& device, const Hypothesis& hypothesis, bool returns = false);

/// Whether the selection is a formula of which a block has its SM's key shrink, or stay, and no
/// other SM's change: as far as the form of the formula tells.
bool keys_shrink_by_formula(Selection::Value selection);

}  // namespace cuvier
