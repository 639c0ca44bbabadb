#pragma once

#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "probes/fact.h"
#include "solver/cancellation/task.h"
#include "solver/smt/lemma.h"
#include "solver/space/survivors.h"

namespace cuvier {

/// A value of an axis that nobody has who is left, and how that is known.
struct ExcludedValue {
  enum class By {
    constraints,   ///< lemmas: no solver finds anybody
    named_orders,  ///< lemmas, but what pruned the space alone where an order has to be learned
    diagrams,      ///< that alone: there is a recording that is too much
    last_resort,   ///< it was not considered, since something simpler explains everything
  };
  int axis = 0;
  int value = 0;
  By by = By::diagrams;
  std::vector<std::string> lemmas;  ///< their names
};

/// Why nobody else is left: a lemma for each part of the space, and which of them say so of which
/// value.
struct Exclusions {
  std::vector<Lemma> lemmas;
  std::vector<ExcludedValue> values;  ///< by axis and value
};

/// Of what was assumed and is not left by these recordings. Where `surviving` has nothing, of all
/// values. Throws Stopped where the task is to end.
Exclusions exclusions_of(const RecordingSet& recordings, const Assumptions& assumed,
                         const SurvivingValues& surviving, const Task& task);

}  // namespace cuvier
