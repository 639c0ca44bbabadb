#pragma once

#include <memory>
#include <optional>
#include <string>

#include "hypotheses/assumptions.h"
#include "probes/fact.h"

namespace cuvier {

/// The hypotheses that explain what was observed, as constraints for Z3: the same scheduler
/// as VersionSpace's, read a second way. It knows no counts and takes longer, but it leaves
/// constraints that any SMT solver can check. Named tie-break orders only.
class SmtSpace {
 public:
  SmtSpace(const Device& device, const Assumptions& assumptions);
  ~SmtSpace();

  /// Adds what the recording says; it ran after those before it unless it is fresh.
  /// Throws GaveUp (solver/cancellation/task.h) where Z3 does.
  void observe(const Recording& recording);

  /// Whether the constraints hold of it.
  bool admits(const Hypothesis& hypothesis) const;

  /// One that they hold of; none if they contradict each other.
  std::optional<Hypothesis> example() const;

  /// Everything as SMT-LIB 2: satisfiable exactly if some hypothesis explains it all. Its
  /// constants are named AXIS=VALUE.
  std::string smt2() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cuvier
