#pragma once

#include <string>
#include <vector>

#include "solver/invention/placements.h"

namespace cuvier {

/// Formulas of `selection` by which each of these blocks went where it did, the smallest first.
/// Keys are learned one after the other: one that no placement contradicts and that settles what
/// the tie-break order gets wrong, then another for what that leaves (greedy lexicographic
/// learning). `names`: what they may read, a bit each.
std::vector<std::string> keys_that_choose(const std::vector<Placement>& placements,
                                          std::uint32_t names);

/// The same of names alone, of which one is that at this place.
std::vector<std::string> names_that_choose(const std::vector<Placement>& placements,
                                           std::uint32_t names, int name);

/// The same where `own`, a formula too, is right for some blocks: keys for the others alone, and a
/// condition that parts the two.
std::vector<std::string> keys_in_two_cases(const std::vector<Placement>& placements,
                                           std::uint32_t names, const std::string& own);

}  // namespace cuvier
