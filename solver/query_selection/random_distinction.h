#pragma once

#include <string>
#include <vector>

#include "probes/initial_observation.h"
#include "probes/oracle.h"
#include "solver/proof/equivalence.h"

namespace cuvier {

/// Whether a few random probes of each family tell two hypotheses apart, by what these channels
/// show, in sessions that begin so. Device and opening must outlive it.
ToldApart told_apart_by_families(const Device& device, std::vector<std::string> channels,
                                 const InitialObservation* opening = nullptr);

/// Sorts hypotheses into classes by what this oracle shows, in sessions that begin as its do.
Classes classify(const Oracle& oracle, const std::vector<Hypothesis>& hypotheses,
                 const SmtLimits& limits);

}  // namespace cuvier
