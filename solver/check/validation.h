#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/store.h"
#include "probes/oracle.h"
#include "solver/cancellation/task.h"
#include "solver/finding/mismatches.h"
#include "solver/minimise/minimise.h"

namespace cuvier {

struct ValidationOptions {
  int sequences = 1000;
  std::uint64_t seed = 1;
  bool minimise = false;       ///< the first contradiction
  int most_questions = 3'000;  ///< to the oracle, for that
  Task task;                   ///< ends it early
};

/// A sequence of which the model got at least one fact wrong: among those that do not depend on
/// the order in which the blocks of a release leave (exact_steps).
struct Contradiction {
  std::string generator;  ///< the probe family
  Mismatch first;         ///< by order in the probe
  int facts_wrong = 0;
};

/// The smallest sequence found on which the oracle still disagrees with the model.
struct SmallestContradiction {
  Probe before;                ///< what was made small
  bool with_previous = false;  ///< that is the sequence and the one before it, joined
  Minimised minimised;
  std::optional<Recording> answer;  ///< the last time that it was asked and disagreed
  std::vector<Mismatch> wrong;      ///< of that
  int asked_again = 0;              ///< once it was found
  int disagreed_again = 0;
  std::string unfinished;  ///< why a smaller one may have been missed; else it is 1-minimal
};

/// How a model's predictions held on random sequences: the paper's method, as a last check.
struct Validation {
  struct Tally {
    std::string_view generator;
    int asked = 0;
    int wrong = 0;
    int unsettled = 0;  ///< went another way only where that order has a part in it
    int refused = 0;
  };

  Device device;
  std::string oracle;
  Hypothesis model;
  std::uint64_t seed = 0;
  int wanted = 0;              ///< sequences; fewer were asked if it was interrupted
  std::vector<Tally> tallies;  ///< the paper's generator first
  std::vector<Contradiction> contradictions;
  std::map<std::string, std::string> refusals;  ///< by code: what the oracle said last
  int sessions = 0;                             ///< one begins after each that was wrong, too
  std::optional<SmallestContradiction> smallest;
  std::string not_minimised;   ///< why there is none, where it was asked for
  std::exception_ptr failure;  ///< what `not_minimised` tells of, if it is none of the oracle's:
                               ///< to be thrown again once all else is told
  double seconds = 0;

  int asked() const { return sum(&Tally::asked); }
  int unsettled() const { return sum(&Tally::unsettled); }
  int refused() const { return sum(&Tally::refused); }

 private:
  int sum(int Tally::*count) const;
};

/// The confidence at which bounds are stated.
inline constexpr double kConfidence = 0.95;

/// The largest rate of contradictions that is still likely (kConfidence) after this many of
/// so many sequences: Clopper and Pearson's bound, of which the rule of three (none of n: at
/// most 3 / n) is the simplest case.
double most_disagreement(int contradictions, int sequences);

/// Asks random sequences, every other one by the paper's generator, and compares with what the
/// model predicts; every answer goes to the journal. They are asked in sessions, as many at once as
/// the oracle can hold. After one that went otherwise another begins, so that none is wrong only
/// since an earlier one was. Of an oracle that answers anything. Throws Error where it failed, or
/// refuses too much.
Validation validate_model(Oracle& oracle, Journal& journal, const Hypothesis& model,
                          const ValidationOptions& options);

}  // namespace cuvier
