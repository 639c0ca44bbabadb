#include "solver/invention/other_mechanisms.h"

#include <utility>

#include "hypotheses/neighbours.h"
#include "hypotheses/readings/choices.h"
#include "probes/rng.h"

namespace cuvier {

std::vector<Hypothesis> other_mechanisms(const Device& device, const Hypothesis& mechanism,
                                         const Assumptions& assumptions) {
  std::vector<Hypothesis> others;
  Rng none(0);  // for orders, which are not drawn here
  for (Hypothesis& other : single_axis_changes(device, mechanism, none)) {
    const int axis = changed_axis(mechanism, other);
    const bool is_learned = other.get<TieBreak>() == TieBreak::learned;
    if (is_learned || leaves_open(other) || !assumptions.allows(axis, other.values[axis])) continue;
    others.push_back(canonical(std::move(other)));
  }
  return others;
}

std::vector<Hypothesis> with_other_resets(const std::vector<Hypothesis>& mechanisms,
                                          const Assumptions& assumptions) {
  std::vector<Hypothesis> others;
  for (const Hypothesis& mechanism : mechanisms) {
    const auto given = mechanism.get<CursorReset>();
    for (const auto reset : {CursorReset::device_idle, CursorReset::kernel, CursorReset::never}) {
      if (reset == given || !assumptions.allows(index_of<CursorReset>(), reset)) continue;
      others.push_back(mechanism);
      others.back().set<CursorReset>(reset);
    }
  }
  return others;
}

}  // namespace cuvier
