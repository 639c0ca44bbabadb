#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "corpus/store.h"
#include "hypotheses/assumptions.h"
#include "probes/oracle.h"
#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"
#include "solver/smt/smt_query.h"
#include "solver/space/survivors.h"

namespace cuvier {

struct InferenceOptions {
  int max_probes = 1000;
  double time_limit_s = 0;  ///< 0: none
  int repeat = 1;           ///< runs of each probe; more where they disagree
  std::uint64_t seed = 1;
  SmtLimits limits;  ///< for each query of a proof
};

/// Why a probe was asked, and what it told.
struct AskedProbe {
  std::string why;           ///< where it came from: a family, a mutation of one, the journal
  double expected_bits = 0;  ///< entropy of the committee's predictions
  double gained_bits = 0;    ///< log2 of the hypotheses before over after
  int committee = 0;         ///< hypotheses it was chosen on
  int outcomes = 0;          ///< different outcomes they predicted
  int runs = 1;              ///< runs of the probe
  int differing = 0;         ///< of these, from what most of them say
  double seconds = 0;        ///< since the start
};

/// What the inference just did: asked a probe and pruned by its answer.
struct InferenceStep : AskedProbe {
  int number = 0;  ///< of the probe, from 1
  const Probe* probe = nullptr;
  HypothesisCount count;
  SurvivingValues surviving;
  bool confirms = false;  ///< nothing more split what was left, and still is left
};

/// Who is told of progress, and may end it.
struct InferenceListener {
  std::function<void(const InferenceStep&)> step;
  std::function<void(const std::string&)> note;  ///< a line on how far answers are to be trusted
  Task task;  ///< told often what is done, for a status line; ends the inference early
  std::function<void(const std::string&)> progress;  ///< a line on anything else: restarts, say
};

/// The loop: draw a committee, choose the probe that splits it best, ask, record, prune;
/// until one hypothesis is left, nothing splits what is left, or a budget is spent. What is left
/// is confirmed by a programme of probes (solver/infer/confirmation.h). What the journal holds
/// already is taken into account first and never asked again. With `repeat`, answers may be wrong
/// (solver/evidence/evidence_log.h): then what is left must be so whichever probe is taken away.
Finding infer(Oracle& oracle, Journal& journal, const Assumptions& assumptions,
              const InferenceOptions& options, const InferenceListener& listener);

}  // namespace cuvier
