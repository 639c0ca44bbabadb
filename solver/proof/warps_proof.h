#pragma once

#include <string>
#include <vector>

#include "solver/smt/statement.h"

namespace cuvier {

/// What the choice of an SM rests on beside whether a block fits, and what else is seen.
struct Asked {
  bool room = false;
  bool usage = false;
  bool warp_slots = false;      ///< the oracle shows which subpartition each warp is on
  bool configurations = false;  ///< and each kernel's shared-memory configuration
};

/// A way to show by induction that the warps and registers of one SM answer alike under two
/// hypotheses: a relation between the states under one and under the other that holds of idle
/// SMs and that everything which happens to an SM keeps.
struct WarpsInduction {
  std::string relation;               ///< in words
  std::vector<Statement> statements;  ///< if all hold, so does the claim
};

/// The inductions worth trying, the simplest first.
std::vector<WarpsInduction> warps_inductions(const Device& device, const Hypothesis& a,
                                             const Hypothesis& b, const Asked& asked);

}  // namespace cuvier
