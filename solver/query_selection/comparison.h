#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "hypotheses/simulator.h"
#include "probes/device.h"
#include "probes/observation.h"
#include "probes/probe.h"
#include "solver/cancellation/task.h"
#include "solver/query_selection/likelihood.h"
#include "solver/smt/lemma.h"
#include "solver/smt/smt_query.h"

namespace cuvier {

/// Where two observations of one probe first part. Where no SM differs: equal SMs if the
/// block's warp slots do, block -1 if it is what the kernel prefers of shared memory.
struct Parting {
  int step = 0;  ///< of the script
  int kernel = 0;
  int block = 0;
  int sm_a = -1;  ///< -1: not started in this step
  int sm_b = -1;
};

/// A probe on which two hypotheses differ, in a fresh session.
struct Distinction {
  Probe probe;
  Observation a;
  Observation b;
  Parting parting;
  std::string why;                            ///< where the probe came from: a family, the solver
  std::optional<Likelihood> likelihood = {};  ///< where it tells by chance; A and B are outcomes
};

/// How two hypotheses compare on a device.
struct Comparison {
  enum class Kind {
    different,          ///< `distinction` shows it
    equivalent,         ///< on every sequence of probes; `proof` shows it
    not_distinguished,  ///< no difference found, no proof: `reason` says what was tried
    undecided,          ///< a solver gave up; `reason` names the query
  };

  Kind kind = Kind::undecided;
  std::optional<Distinction> distinction;
  std::optional<Proof> proof;
  std::string reason;
  double seconds = 0;
};

struct ComparisonOptions {
  std::vector<std::string> channels;  ///< what is seen beside the SM of each block
  std::uint64_t seed = 1;
  double seconds = 10;  ///< for the search
  SmtLimits limits;     ///< for each query
};

/// Searches for a probe on which they differ, or are likely to where either leaves open what
/// happens; where there seems to be none, tries to prove it; where it cannot, searches on. Throws
/// Error where the device's facts do not suffice for a hypothesis.
Comparison compare(const Device& device, const Hypothesis& a, const Hypothesis& b,
                   const ComparisonOptions& options, const Task& task = {});

/// Where the observations first part; none if they show the same.
std::optional<Parting> first_parting(const Observation& a, const Observation& b);

/// Where what both would show of the probe through these channels first parts. Steps of which
/// either leaves open what happens (steps_of_one_outcome) tell nothing apart.
std::optional<Parting> first_parting(Simulator& a, Simulator& b, const Probe& probe,
                                     const std::vector<std::string>& channels);

}  // namespace cuvier
