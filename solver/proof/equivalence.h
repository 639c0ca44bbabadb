#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/initial_observation.h"
#include "solver/smt/lemma.h"
#include "solver/smt/smt_query.h"

namespace cuvier {

/// Hypotheses as far as they were proved alike: the members of one class show the same on every
/// sequence of probes. Of members of different classes nothing was proved.
struct Classes {
  std::vector<std::vector<Hypothesis>> classes;  ///< each in the order given; by their first
  std::optional<Proof> proof;  ///< of those with several members; none where there are none
  std::string reason;    ///< where there is more than one: what stands in the way of the last two
  bool gave_up = false;  ///< a solver did; `reason` names the query
  bool complete = true;  ///< false: there were more classes than asked for, and not all is in one
};

// Of what is left of a space: so many are compared, and sorted into so many classes.
constexpr int kMostCompared = 1'000'000;
constexpr int kMostClasses = 12;

/// Why it is known that two hypotheses are told apart, so that no proof needs to be tried; empty
/// where that is not known. It may save time; what is proved does not rest on it.
using ToldApart = std::function<std::string(const Hypothesis&, const Hypothesis&)>;

/// Proves by induction over arbitrary states of the scheduler, not by unrolling, that hypotheses
/// cannot be told apart on this device by which SM each block starts on, and when; nor by the
/// channels that are seen beside that (oracle-protocol.md). There must be at least one. With an
/// `opening`, sessions are those that begin as it does (docs/design/openings.md).
Classes classify(const Device& device, const std::vector<Hypothesis>& hypotheses,
                 const std::vector<std::string>& channels, const SmtLimits& limits,
                 int most_classes = 1, const InitialObservation* opening = nullptr,
                 const ToldApart& told_apart = {});

}  // namespace cuvier
