#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hypotheses/assumptions.h"
#include "probes/fact.h"

namespace cuvier {

/// That nobody who has this value explains what was observed.
struct Refutation {
  struct Value {
    int axis = 0;
    int value = 0;
  };
  Value of;
  int steps = 0;     ///< of recordings: so many show that
  std::string smt2;  ///< up to and with (check-sat); `unsat` is expected
};

/// Why nobody with some value of an axis explains what was observed, as constraints that any SMT
/// solver can check. A hypothesis is an assignment to constants AXIS=VALUE. Each constraint says of
/// one way through the scheduler that whoever takes it does not show what was seen in a step: which
/// conditions lead there, and of each which values of the axes make it true. That these ways leave
/// nobody who has the value is for the solver to find. Nothing is assumed of what else they have.
class Refutations {
 public:
  /// Among what is assumed, where no order is to be learned (TieBreak::learned).
  Refutations(const Device& device, const Assumptions& assumptions);
  ~Refutations();

  /// Takes the recording into account; it ran after those before it unless it is fresh. Throws
  /// GaveUp (solver/ending/gave_up.h) where there are too many ways to explain it; then it is as
  /// if it had not been observed.
  void observe(const Recording& recording);

  bool leaves_any() const;
  /// Whether no constraint is against the hypothesis, of which nothing is left to chance.
  bool admits(const Hypothesis& hypothesis) const;

  /// Of each value that nobody has who is left, what takes least first: each takes for granted
  /// what those before it show. Where nobody is left at all, as many as it takes to show that.
  std::vector<Refutation> list() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cuvier
