#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/axes.h"
#include "probes/probe.h"
#include "solver/invention/proposal.h"

namespace cuvier {

/// A proposal's mechanism, as long as this lives: its formula need not become a value of its axis
/// for good, of which there is no room for many. Meanwhile no formula of the axis may be given.
class OnTrial {
 public:
  explicit OnTrial(const Proposal& proposal);
  const Hypothesis& mechanism() const { return mechanism_; }

 private:
  TrialValue value_;
  Hypothesis mechanism_;
};

/// Whether it explains what was asked in a session of its own.
bool explains(const Device& device, const Proposal& proposal, const Recording& recording);

/// Of these probes the one that tells most of the proposals apart, in a session of its own and of
/// an oracle with these channels; none where none does.
std::optional<Probe> telling_apart(const Device& device, const std::vector<Proposal>& proposals,
                                   const std::vector<Probe>& probes,
                                   const std::vector<std::string>& channels);

/// The same of whatever predicts: `predict` gives what is seen of a probe under the candidate of
/// that number, one candidate after the other.
std::optional<Probe> telling_apart(
    std::size_t candidates, const std::vector<Probe>& probes,
    const std::function<Observation(std::size_t, const Probe&)>& predict);

}  // namespace cuvier
