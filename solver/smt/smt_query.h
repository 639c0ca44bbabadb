#pragma once

#include <string>
#include <vector>

#include "solver/cancellation/task.h"

namespace cuvier {

struct SmtLimits {
  double seconds = 60;
  int memory_mib = 4096;
  Task task = {};  ///< what the query is part of; asked ten times a second whether it is to end
};

/// What a solver says of a query.
struct SmtAnswer {
  enum class Kind { sat, unsat, unknown };

  Kind kind = Kind::unknown;
  std::string reason;  ///< of `unknown`: a limit, or what the solver printed
  double seconds = 0;
};

/// Asks a Z3 that was asked nothing before, in a process of its own, which is killed at its limits:
/// Z3 may overlook a time-out of its own. `smt2` ends with (check-sat). Never throws for what Z3
/// does; Error where no process can be started.
SmtAnswer ask_z3(const std::string& smt2, const SmtLimits& limits = {});

/// Of the Z3 that is linked: "4.8.12".
std::string z3_version();

/// Asks an SMT solver that is run as `command... FILE`, likewise (cvc5, another z3). `unknown`
/// with a reason where it prints anything but `sat` or `unsat`.
SmtAnswer ask_program(const std::vector<std::string>& command, const std::string& smt2_path,
                      const SmtLimits& limits = {});

}  // namespace cuvier
