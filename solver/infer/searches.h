#pragma once

#include <cstdint>
#include <optional>

#include "probes/oracle.h"
#include "solver/evidence/evidence_log.h"
#include "solver/query_selection/candidates.h"

namespace cuvier {

/// How a search of an inference goes.
struct SearchFor {
  int rounds = 0;               ///< in which nothing must be found
  bool begins_session = false;  ///< the probe will begin one
  bool by_chance = false;       ///< what usually happens counts as well
  std::int64_t placements = 30'000'000;
};

/// Searches for the next probe, from the state in which the session so far has left the oracle.
class Searches {
 public:
  /// All of these must outlive it. Searches end with the task.
  Searches(const Oracle& oracle, const EvidenceLog& evidence, Timekeeper& timekeeper,
           const Task& task, Rng& rng)
      : oracle_(oracle), evidence_(evidence), timekeeper_(timekeeper), task_(task), rng_(rng) {}

  /// None where nothing was found. `again`: what was asked before may be asked again.
  std::optional<Candidate> among(const Search::Draw& draw, const SearchFor& what, bool again) const;

  /// The same between two at a time, which predict many probes while all of them predict a few.
  std::optional<Candidate> between_two(const std::vector<Hypothesis>& hypotheses,
                                       const SearchFor& what) const;

 private:
  const Oracle& oracle_;
  const EvidenceLog& evidence_;
  Timekeeper& timekeeper_;
  const Task& task_;
  Rng& rng_;
};

}  // namespace cuvier
