#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "hypotheses/scheduler/options.h"
#include "solver/space/paths.h"
#include "solver/space/precedences.h"

namespace cuvier {

// Options in an order that is yet to be learned. Their ranks say where it is entered: 0 at its
// start, else 1 + cursor; but the option at the cursor is certain to be the first, or the last.

template <class Option>
std::vector<Option> ranked_from(const auto& all, const Entry& entry) {
  std::vector<Option> options(all.begin(), all.end());
  for (Option& option : options) {
    if (entry.at_start()) continue;
    const int at_cursor = entry.skip == 0 ? -1 : std::numeric_limits<int>::max();
    option.rank = option.id == entry.cursor ? at_cursor : 1 + entry.cursor;
  }
  return options;
}

/// Whether an option is known to go before another. `first_node`: of the options, among those of
/// the order.
template <class Option>
bool goes_before(const Precedences& known, const Option& option, const Option& other,
                 int first_node) {
  if (option.rank != other.rank || option.id == other.id) return option.rank < other.rank;
  const int one = first_node + option.id;
  const int two = first_node + other.id;
  return option.rank == 0 ? known.before(one, two)
                          : known.before_round(first_node + option.rank - 1, one, two);
}

/// Throws DeadEnd where it cannot go before the other.
template <class Option>
void learn_before(Precedences& known, const Option& option, const Option& other, int first_node) {
  if (option.rank < other.rank) return;
  const int one = first_node + option.id;
  const int two = first_node + other.id;
  const bool possible =
      option.rank == other.rank &&
      (option.rank == 0 ? known.add(one, two)
                        : known.add_round(first_node + option.rank - 1, one, two));
  if (!possible) throw DeadEnd();
}

}  // namespace cuvier
