#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/cancellation/task.h"
#include "solver/evidence/asking.h"
#include "solver/evidence/corrected_space.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// What an oracle said, and what follows from it. Where runs are independent of each other
/// (Asking::independent), the oracle may err: what is contradicted is asked again, more often;
/// if it stays, as few probes as possible are doubted, and rephrased.
class EvidenceLog {
 public:
  using Told = std::function<void(const std::string&)>;

  /// `note` and `progress` as of an InferenceListener. `interruption`: where it is to end, a
  /// pruning ends in its middle and throws Stopped; the answer is in the journal then, and in
  /// nothing else.
  EvidenceLog(Oracle& oracle, Journal& journal, const Assumptions& assumptions, int repeat,
              Timekeeper& timekeeper, Told note, Told progress, Task task, Task interruption);

  /// Takes the journal into account, until nothing explains it: `taken` is called after each probe.
  void replay(const std::function<void(const Runs&)>& taken);

  /// The rest of the journal, of what was asked though nothing explains what was before it.
  void replay_rest();

  /// Asks the probe and takes the answer into account. None where it is refused. Where nothing
  /// explains what was before it, it is kept for what comes nearest.
  const Runs* ask(const Candidate& candidate);

  /// The same of several probes: `taken` is called after each answer. A single one is asked in the
  /// session in force.
  void ask(const Sessions& sessions,
           const std::function<void(const Runs&, const Candidate&)>& taken);

  const CorrectedSpace& space() const { return space_; }
  bool independent() const { return asking_.independent(); }
  std::vector<Probe> refused() const;  ///< or set aside, or answered in part
  const std::vector<Runs>& asked() const { return asked_; }
  RecordingSet all_runs() const;  ///< of what was asked
  int probes() const { return static_cast<int>(asked_.size()); }

  /// Brings a fresh simulator into the state in which the next probe finds the oracle.
  void bring_along(Simulator& simulator) const;

  /// The same if the next probe begins another session, which is taken to open as this one did.
  void bring_to_next_session(Simulator& simulator) const;

  /// What was too much to follow while so much was open: its answers are not used, and the
  /// session they ran in has ended. Whoever concludes something should predict them.
  const std::vector<Probe>& set_aside() const { return set_aside_; }

  /// Probes not to be asked again: refused, set aside or asked. Where answers may be wrong, what
  /// was asked still splits what it seemed to settle.
  std::vector<Probe> known() const;

  int runs() const;

  /// Probes that a recorded journal has a second time, asked alone. No model counts them: an
  /// inference that goes on from its own journal does not take them again.
  int asked_alone() const;

  /// How often the space was made anew, which may have brought hypotheses back.
  int revisions() const { return revisions_; }

  /// A doubted probe with something small after it, as long as that was not tried several times:
  /// a run that was wrong is right now, a mechanism that nobody thought of shows again.
  std::optional<Candidate> rephrased() const;

  /// A probe that is doubted, and could not be rephrased often enough.
  std::optional<std::string> doubted_too_soon() const;

  std::vector<Discarded> discarded() const;

  /// Names of the probes that nothing explains together; the space must be empty. Where they ran
  /// in one session, each is asked once more in one of its own, so that it can be left out.
  std::vector<std::string> clash();

  /// Whether all were answered just so in sessions of their own, which can be explained: told once
  /// clash() was.
  bool begins_anew() const { return begins_anew_; }

 private:
  Probe named(Probe probe) const;
  void replay_one();
  /// False where that ended the session.
  bool take(Runs runs);
  void prune_by(const Recording& run);
  bool observe_in_session(const Runs& runs);
  void resolve();
  bool ask_again();
  std::optional<CorrectedSpace> each_alone();
  std::size_t clashing_step(const CorrectedSpace& space, const Subset& conflict) const;
  std::string names(const Subset& probes) const;

  Device device_;
  Assumptions assumptions_;
  Timekeeper& timekeeper_;
  Told note_;
  Task task_;
  Task interruption_;
  Asking asking_;
  CorrectedSpace space_;
  std::vector<Runs> in_journal_;  ///< that were not taken into account yet, the last one first
  std::vector<Runs> asked_;       ///< where independent, each is an observation of the space
  std::vector<Probe> set_aside_;
  int revisions_ = 0;
  bool begins_anew_ = false;
};

}  // namespace cuvier
