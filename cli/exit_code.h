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
  switch (verdict) {
    case Verdict::identified:
      return exit_done;
    case Verdict::ambiguous:
      return exit_ambiguous;
    case Verdict::refuted:
      return exit_refuted;
    case Verdict::undecided:
      break;
  }
  return exit_undecided;
}

/// That two hypotheses differ is as good an answer as that they do not.
constexpr ExitCode exit_code(Comparison::Kind kind) {
  switch (kind) {
    case Comparison::Kind::different:
    case Comparison::Kind::equivalent:
      return exit_done;
    case Comparison::Kind::not_distinguished:
      return exit_ambiguous;
    case Comparison::Kind::undecided:
      break;
  }
  return exit_undecided;
}

constexpr ExitCode exit_code(Error::Kind kind) {
  return kind == Error::Kind::oracle ? exit_oracle_failed : exit_bad_input;
}

}  // namespace cuvier
