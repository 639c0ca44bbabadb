#pragma once

#include <iterator>
#include <utility>

#include "solver/conflicts/subset.h"

namespace cuvier {

/// A minimal conflict (a minimal unsatisfiable subset) within this one: without any one of its
/// members it is none. By deletion (Chinneck, Dravnieks: Locating minimal infeasible constraint
/// sets in linear programs, 1991), the highest number first, so what stays are low ones; a test for
/// each member. One that is not certain of a conflict may deny it: then more stays.
template <ConflictTest Test>
Subset minimal_conflict(Subset conflict, Test&& is_conflict) {
  for (auto member = conflict.end(); member != conflict.begin();) {
    --member;
    const std::size_t left_out = *member;
    member = conflict.erase(member);
    if (!is_conflict(conflict)) member = conflict.insert(left_out).first;
  }
  return conflict;
}

}  // namespace cuvier
