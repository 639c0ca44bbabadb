#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"
#include "solver/proof/equivalence.h"
#include "solver/smt/smt_query.h"

namespace cuvier {

/// What became of checking a certificate again.
struct Verification {
  struct Answer {
    std::string solver;
    std::string file;  ///< the lemma's
    SmtAnswer answer;
  };

  Verdict claimed = Verdict::undecided;
  std::vector<std::string> claims;   ///< what follows, in words
  std::vector<std::string> solvers;  ///< who was asked: Z3, and a second one if there is one
  std::vector<Answer> answers;
  int lemmas = 0;          ///< to be asked
  int by_constraints = 0;  ///< values excluded by lemmas
  int by_both = 0;         ///< but where an order of the SMs is learned, by pruning alone
  int by_diagrams = 0;     ///< by what pruned the space alone
  int last_resorts = 0;    ///< values that were not considered
  int drawn = 0;           ///< hypotheses with excluded values that were predicted
  double left = 0;         ///< hypotheses
  int recordings = 0;
  int recordings_predicted = 0;  ///< as the model has them
  int facts = 0;
  std::vector<std::string> faults;   ///< what does not match, a line each
  std::vector<std::string> gave_up;  ///< which solver on what and why, a line each
  std::string apart;      ///< what the checker says that shares nothing with this, if asked
  std::string cut_short;  ///< why it ended early, if so: what is here is known
};

/// What may know, for a device, channels and sessions that begin so, who is told apart.
using TellsApart = std::function<ToldApart(const Device&, std::vector<std::string> channels,
                                           const InitialObservation*)>;

/// Checks DIR: works out from the recordings what they leave, and what a certificate of that must
/// hold; whether DIR/model.json and DIR/certificate are that; and asks a fresh Z3, and a second
/// solver, run as `second... FILE` (empty: without one), every lemma. Throws Error where model,
/// recordings or certificate cannot be read. If the task is to end, what is
/// known by then. `tells_apart` saves time where many are left that are not
/// alike; nothing that is confirmed rests on it.
Verification verify_certificate(const std::string& dir, const std::vector<std::string>& second,
                                const Task& task, const TellsApart& tells_apart = {});

}  // namespace cuvier
