#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "probes/family.h"
#include "probes/oracle.h"
#include "solver/choose/candidates.h"
#include "solver/evidence/evidence_log.h"
#include "solver/space/version_space.h"

namespace cuvier {

/// What is left may be right only by chance, or because the truth is not among the hypotheses.
/// Once it is one behaviour, further probes should go on telling the same: were it another
/// mechanism, one that is not among the hypotheses even, it would show. Where answers may be
/// wrong, what is left must be left without any one of the probes, too.
class Confirmation {
 public:
  /// What an inference does for it.
  struct Means {
    /// A probe that splits a committee, looked for in so many rounds.
    std::function<std::optional<Candidate>(const Search::Draw&, int rounds)> search;
    std::function<bool(const VersionSpace&)> is_one_behaviour;
    std::function<bool()> may_go_on;
    std::function<void(const std::string&)> doing;
  };

  Confirmation(const Oracle& oracle, const EvidenceLog& evidence, Rng& rng, Means means);

  /// A probe to confirm by; none once there were enough.
  std::optional<Candidate> next();

  /// That probe told nothing new; `to_one`: what was left was one behaviour already.
  void confirmed_by(std::size_t probe, bool to_one);

  /// Something new was told. `revised`: and something that was told before is no longer so.
  void begin_again(bool revised);

  /// What no other probe confirms, in words; empty for nothing.
  const std::string& unconfirmed() const { return unconfirmed_; }

 private:
  std::optional<Candidate> sensitive(int turn);
  std::optional<Candidate> cross_examining();
  bool is_known(const Probe& probe) const;

  const Oracle& oracle_;
  const EvidenceLog& evidence_;
  Rng& rng_;
  Means means_;
  int confirmations_ = 0;           ///< in a row
  std::set<std::size_t> examined_;  ///< observations that were cross-examined
  std::string unconfirmed_;
};

}  // namespace cuvier
