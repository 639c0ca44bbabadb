#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "probes/family.h"
#include "probes/oracle.h"
#include "solver/cancellation/task.h"
#include "solver/evidence/evidence_log.h"
#include "solver/infer/special_case_probes.h"
#include "solver/infer/unseen_probes.h"
#include "solver/query_selection/candidates.h"
#include "solver/space/version_space.h"

namespace cuvier {

/// What is left may be right only by chance, or because the truth is not among the hypotheses.
/// Once nothing more splits it, further probes should go on telling the same: were it another
/// mechanism, one that is not among the hypotheses even, it would show where it was looked for. So
/// they follow a programme: every documented limit, one unit past what is round, what shows most of
/// each axis in launches of each kind that was not seen yet, and the same once more in other
/// sessions. Where answers may be wrong, what is left must be left without any one of the probes,
/// too.
class Confirmation {
 public:
  /// What an inference does for it.
  struct Means {
    /// A probe that splits a committee, looked for in so many rounds.
    std::function<std::optional<Candidate>(const Search::Draw&, int rounds)> search;
    std::function<bool(const VersionSpace&)> is_one_behaviour;
    Task task;  ///< what it ends with, it returns
  };

  Confirmation(Oracle& oracle, const EvidenceLog& evidence, Rng& rng, Means means);

  /// Probes to confirm by, in sessions that do not build on each other: drawn as if all of them
  /// were to end as what is left predicts. None once there were enough; at most so many.
  Sessions next(int most);

  /// That probe told nothing new; `to_one`: what was left was one behaviour already.
  void confirmed_by(std::size_t probe, bool to_one);

  /// Something new was told. `revised`: and something that was told before is no longer so.
  void begin_again(bool revised);

  /// What is done meanwhile, and how far the confirmation has come.
  Doing within(const Doing& doing) const;

  /// What no other probe confirms, in words; empty for nothing.
  const std::string& unconfirmed() const { return unconfirmed_; }

  /// What was asked so far, under what is left.
  Confirmed confirmed();

 private:
  /// A session of the programme: so many probes, drawn in the same way.
  struct Part {
    int probes;
    std::optional<Probe> (Confirmation::*draw)(int turn);
    std::string_view why;
  };
  /// Those of a batch are drawn before any of them is asked.
  using Batch = std::vector<Part>;
  std::vector<Batch> programme() const;

  /// Forgets what was foreseen and did not come about.
  void look_back();
  std::vector<Candidate> draw(const Part& part, int turn, int most);
  void foresee(const Probe& probe, bool fresh);

  std::optional<Probe> of_a_limit(int turn);
  std::optional<Probe> of_a_sweep(int turn);
  std::optional<Probe> not_seen_yet(int turn);
  std::optional<Probe> of_a_confirming_family(int turn);
  std::optional<Probe> of_a_special_case(int turn);
  std::optional<Probe> after_much(int turn);
  std::optional<Probe> that_varies(int turn);
  std::optional<Probe> another();
  void expect_variation();

  std::optional<Candidate> cross_examining();
  bool is_known(const Probe& probe) const;

  /// Of what is left, with all that was asked and is foreseen.
  UnseenProbes& unseen();
  SpecialCaseProbes& special();

  Oracle& oracle_;
  const EvidenceLog& evidence_;
  Rng& rng_;
  Means means_;
  const std::vector<Probe> limits_;
  const std::vector<Probe> sweeps_;
  const std::vector<Batch> programme_;
  int confirmations_ = 0;            ///< probes in a row that told nothing new
  std::vector<Recording> foreseen_;  ///< what was asked, and then what is going to be
  std::optional<UnseenProbes> unseen_;
  std::optional<SpecialCaseProbes> special_;
  std::optional<Probe> varying_;
  std::set<std::size_t> examined_;  ///< observations that were cross-examined
  std::string unconfirmed_;
};

}  // namespace cuvier
