#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/certificate.h"
#include "solver/smt/smt_query.h"

namespace cuvier {

/// What became of checking a certificate again.
struct Verification {
  struct Answer {
    std::string solver;
    std::string file;  ///< the lemma's
    SmtAnswer answer;
  };

  Certificate certificate;
  std::vector<std::string> solvers;  ///< who was asked: Z3, and a second one if there is one
  std::vector<Answer> answers;
  int recordings = 0;
  int recordings_predicted = 0;  ///< as the model has them
  int facts = 0;
  std::vector<std::string> faults;   ///< what does not match, a line each
  std::vector<std::string> gave_up;  ///< which solver on what and why, a line each
  std::string cut_short;             ///< why it ended early, if so: what is here is known
};

/// Checks DIR/certificate: that all files are there and as they were, that every lemma is
/// unsatisfiable by a fresh Z3 and by a second solver, run as `second... FILE` (empty: without
/// one), and that the model predicts every recording. Throws Error where there is no index that
/// can be read. If `doing` throws CutShort (solver/ending), what is known by then.
Verification verify_certificate(const std::string& dir, const std::vector<std::string>& second,
                                const std::function<void(const std::string&)>& doing);

}  // namespace cuvier
