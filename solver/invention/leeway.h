#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solver/invention/proposal.h"

namespace cuvier {

/// Numbers one of which is in a formula, where each of the others would explain as much.
struct Leeway {
  int number = 0;  ///< that the formula has
  int least = 0;
  int most = 0;

  /// The one that hardware is likeliest to count with: the power of two that is nearest to the
  /// number, or else what has the most zeros at its end in binary.
  int roundest() const;
};

/// From the number on, both ways as far as all hold, from `bounds.least` to `bounds.most`. What
/// does not hold is taken to end it; so it is found by doubling, then halving steps.
Leeway around(int number, const Leeway& bounds, const std::function<bool(int)>& holds);

/// Asks what tells the ends and the middle of the leeway apart. Of the answer: whether another
/// number holds with it, too; nothing where nothing was found to ask, or no answer came.
using AskOfNumber =
    std::function<std::optional<std::function<bool(int)>>(const Leeway&, int middle)>;

/// What is left of it once that was asked until nothing tells them apart, so many times in vain;
/// nothing where answers contradict each number.
std::optional<Leeway> halved(Leeway leeway, int most_in_vain, const AskOfNumber& ask);

/// Of the numbers in a formula that explains these sessions, those that could be others. The device
/// and the sessions must outlive it.
std::vector<Leeway> leeways(const Device& device, const std::vector<Session>& sessions,
                            const Proposal& proposal);

/// With another number for that one.
Proposal with_number(Proposal proposal, int number, int other);

}  // namespace cuvier
