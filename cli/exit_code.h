#pragma once

#include "probes/error.h"
#include "solver/finding/finding.h"
#include "solver/query_selection/comparison.h"

namespace cuvier {

/// How the program ends: the only place that numbers it.
enum ExitCode {
  exit_done = 0,
  exit_fault = 1,  ///< of our own
  exit_bad_input = 2,
  exit_oracle_failed = 3,
  exit_ambiguous = 10,
  exit_refuted = 11,  ///< or: what a certificate claims does not hold
  exit_undecided = 12,
};

constexpr ExitCode exit_code(Verdict verdict) {
  if (verdict == Verdict::identified) return exit_done;
  if (verdict == Verdict::ambiguous) return exit_ambiguous;
  return verdict == Verdict::refuted ? exit_refuted : exit_undecided;
}

/// That two hypotheses differ is as good an answer as that they do not.
constexpr ExitCode exit_code(Comparison::Kind kind) {
  if (kind == Comparison::Kind::not_distinguished) return exit_ambiguous;
  return kind == Comparison::Kind::undecided ? exit_undecided : exit_done;
}

constexpr ExitCode exit_code(Error::Kind kind) {
  return kind == Error::Kind::oracle ? exit_oracle_failed : exit_bad_input;
}

}  // namespace cuvier
