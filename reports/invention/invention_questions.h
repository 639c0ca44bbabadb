#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probes/fact.h"
#include "probes/oracle.h"
#include "probes/rng.h"
#include "reports/invention/invention_report.h"
#include "reports/invention/inventor.h"
#include "solver/check/validation.h"
#include "solver/invention/exceptions.h"
#include "solver/query_selection/formula_numbers.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// What an invention asks the oracle beside what its inferences ask, each answer in the journal of
/// the inference's folder.
class InventionQuestions {
 public:
  /// All must outlive it. The run's limit of probes grows with what is asked.
  InventionQuestions(Oracle& oracle, InferenceRun& run, const InventionMeans& means)
      : oracle_(oracle), run_(run), means_(means) {}

  RecordingSet recorded() const;

  /// In a session of its own; nothing where the oracle refuses.
  std::optional<Recording> ask(Probe probe, const std::string& why);
  int asked() const { return asked_; }  ///< so

  /// Probes to choose one of, with the numbers in some kernels.
  std::vector<Probe> drawn(Rng& rng, const FormulaNumbers& numbers = {}) const;

  struct AtRandom {
    int asked = 0;
    int contradict = 0;
    bool contradicted = false;  ///< whether it is not as the mechanism has it
  };
  /// Random sequences, in a folder of their own. What contradicts is asked again, in sessions of
  /// their own: where it does so again, that is remembered and the others, which went as predicted,
  /// are not. `observes`: nothing explained what was there anyway, so all are answers as others.
  /// `words`: what the mechanism is called; empty: what it is.
  AtRandom at_random(const Hypothesis& mechanism, int sequences, bool observes,
                     const std::string& words = "");

  /// Where few answers go otherwise than the mechanism says: probes that differ from these in one
  /// thing, so that it shows what it hangs on.
  void around(const Hypothesis& mechanism, Rng& rng);

  /// What else a recording oracle has: a rule is to explain all of it.
  void read_the_rest();

 private:
  bool contradicted_again(const Hypothesis& mechanism, const Journal& apart,
                          const Validation& validation);
  std::string random_folder(int number) const;

  Oracle& oracle_;
  InferenceRun& run_;
  const InventionMeans& means_;
  int asked_ = 0;
};

/// Exceptions that explain everything, after probes told them apart and looked for where their
/// conditions end; none where what was asked contradicts each. `asked`: the probes that could have
/// contradicted what is left.
std::vector<Exception> challenged(std::vector<Exception> exceptions, const Oracle& oracle,
                                  InventionQuestions& questions, std::uint64_t seed,
                                  const Task& task, int& asked);

/// Where one of these mechanisms explains all that was observed once a fact of the device is
/// another: goes on under that fact, in a folder within the run's, and holds what is left against
/// random sequences. Where that fails, what was answered meanwhile is in the run's journal, too.
/// Throws Error, and Stopped.
std::optional<CorrectedInference> infer_corrected(Oracle& oracle, InferenceRun& run,
                                                  const std::vector<Hypothesis>& mechanisms,
                                                  const std::vector<Session>& observed,
                                                  int sequences, const InventionMeans& means);

}  // namespace cuvier
