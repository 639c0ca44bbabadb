#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "probes/fact.h"
#include "solver/space/survivors.h"

namespace cuvier {

struct Tables;

/// That nobody who has one of these values explains what was observed.
struct RefutedValues {
  struct Value {
    int axis = 0;
    int value = 0;
  };
  std::vector<Value> values;  ///< by axis and value
  std::string smt2;           ///< up to and with (check-sat); `unsat` is expected
};

/// Why nobody with some value of an axis explains what was observed, as constraints that any SMT
/// solver can check. A hypothesis is an assignment to constants AXIS=VALUE. Each constraint says of
/// one way through the scheduler that whoever takes it does not show what was seen in a step: which
/// conditions lead there, and of each which values of the axes make it true. That these ways leave
/// nobody who has one of the values is for the solver to find. Nothing is assumed of what else they
/// have.
class Refutations {
 public:
  /// Among what is assumed, where no order is to be learned (TieBreak::learned).
  Refutations(const Device& device, const Assumptions& assumptions);
  ~Refutations();

  /// Takes the recording into account; it ran after those before it unless it is fresh. Throws
  /// GaveUp (solver/cancellation/task.h) where there are too many ways to explain it; then it is
  /// as if it had not been observed.
  void observe(const Recording& recording);

  SurvivingValues surviving() const;
  /// What the constraints are made of.
  const Tables& tables() const;

  /// All values that nobody has who is left: where nobody is, all that are assumed.
  RefutedValues refuted() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cuvier
