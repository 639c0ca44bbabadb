#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "corpus/store.h"
#include "probes/oracle.h"
#include "solver/cancellation/task.h"
#include "solver/evidence/runs.h"
#include "solver/finding/spent.h"
#include "solver/query_selection/candidates.h"

namespace cuvier {

/// Asks an oracle, and has every answer in the journal before anything follows from it.
class Asking {
 public:
  using Note = std::function<void(const std::string&)>;

  /// `repeat`: how often each probe runs at first. `note` is told of refusals,
  /// `progress` of restarts.
  Asking(Oracle& oracle, Journal& journal, int repeat, Timekeeper& timekeeper, Note note,
         Note progress);

  /// Every run of a probe is a session of its own, so that its runs are alike but for noise.
  /// Otherwise each is evidence by itself, after those before it.
  bool independent() const { return independent_; }

  bool answers_anything() const { return oracle_.answers_anything(); }

  /// Whether that is possible. After sessions apart the next run does so anyway.
  bool begin_session() { return apart_ || oracle_.begin_session(); }

  /// Whether the next run is the first of its session.
  bool session_begun() const {
    return fresh_ || apart_ || oracle_.session() != session_ || oracle_.session_is_over();
  }

  /// What the session in force began with.
  std::shared_ptr<const InitialObservation> opening() const {
    return opening_ ? opening_ : oracle_.opening();
  }

  /// What the journal held when it was opened, by probe, in order. Throws Error where it was
  /// made in the other way.
  std::vector<Runs> recorded() const;

  /// Asks a probe for the first time. Where runs are independent, as often as it takes to settle
  /// its outcome. None where it is refused.
  std::optional<Runs> ask(const Probe& probe, const Candidate& candidate);

  /// What follows an answer: the next probe of its session, the next session, or nothing.
  enum class Next { probe, session, nothing };

  /// Asks probes for the first time, in sessions that are held at once if that is possible; `taken`
  /// is handed the answers in the order of these, and says what follows: answers that came to what
  /// does not are dropped. A probe is `named` once it is answered. Not where runs are independent.
  void ask_apart(const Sessions& sessions, const std::function<Probe(Probe)>& named,
                 const std::function<Next(Runs, const Candidate&)>& taken, const Task& task);

  /// Reads it on until each part of its outcome leads by kLead, or that was given up.
  void settle(Runs& runs);

  /// Reads it on until each part that counts leads by kFirmLead, or that was given up.
  void ask_again(Runs& runs);

  /// Asks it once in a session of its own, unless the journal has that. None where the oracle
  /// cannot or will not.
  std::optional<Recording> ask_alone(Probe probe);

  const std::vector<Probe>& refused() const { return refused_; }

  /// Those of which only the first steps counted (Answer::exact).
  const std::vector<Probe>& cut() const { return cut_; }

 private:
  std::vector<Recording> run(const Probe& probe, int repeat, const std::string& why, double bits);
  std::vector<Answer> wait_for(const Probe& probe, int repeat);
  void refused(const Probe& probe, const OracleRefusal& refusal);
  void run_apart(Probe probe, int sessions, const std::string& why, double bits,
                 const std::function<void(Recording)>& taken);
  bool read_on(Runs& runs, int count, const std::string& why);

  Oracle& oracle_;
  Journal& journal_;
  int repeat_;
  Timekeeper& timekeeper_;
  Note note_;
  Note progress_;
  bool independent_;
  int session_;
  bool fresh_ = true;                                  ///< the next run is the first of its session
  bool apart_ = false;                                 ///< sessions were, so the state is anywhere
  std::shared_ptr<const InitialObservation> opening_;  ///< of the last of those held apart
  std::size_t answered_;                               ///< runs, by the journal and since
  std::vector<Probe> refused_;
  std::vector<Probe> cut_;
};

}  // namespace cuvier
