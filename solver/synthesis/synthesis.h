#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "solver/smt/smt_query.h"
#include "solver/synthesis/sm_script.h"

namespace cuvier {

/// A probe that a solver found, or why there is none.
struct Synthesis {
  enum class Kind {
    found,    ///< `probe` tells the hypotheses apart
    none,     ///< not within the bound that `reason` names
    gave_up,  ///< the solver did, on what `reason` names
  };

  Kind kind = Kind::none;
  std::optional<Probe> probe;
  std::string reason;
  int queries = 0;  ///< asked of the solver
  int tried = 0;    ///< probes predicted
};

struct SynthesisOptions {
  std::vector<std::string> channels;  ///< what is seen beside the SM of each block
  int actions = 5;                    ///< on one SM, at most
  double seconds = 10;                ///< in all; then the bound reached is the one named
  SmtLimits limits{3, 2048};          ///< for each query
};

/// Looks for a probe on which the hypotheses differ in what one SM answers, by asking a solver for
/// the kernels: the shortest scripts first. `tells_apart` judges what is made of them for the
/// whole device; nothing that it refuses is returned. Throws Error where the device's facts do
/// not suffice for a hypothesis.
Synthesis synthesise(const Device& device, const Hypothesis& a, const Hypothesis& b,
                     const SynthesisOptions& options, const TellsApart& tells_apart);

}  // namespace cuvier
