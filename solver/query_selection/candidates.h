#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/simulator.h"
#include "probes/fact.h"
#include "probes/family.h"
#include "solver/cancellation/task.h"
#include "solver/query_selection/formula_numbers.h"
#include "solver/query_selection/information.h"

namespace cuvier {

/// A probe worth asking, and why.
struct Candidate {
  Probe probe;
  std::string why;                          ///< the family it is from, or what it is a mutation of
  double bits = 0;                          ///< entropy of the committee's predictions
  int outcomes = 0;                         ///< different predictions
  int committee = 0;                        ///< hypotheses asked
  std::vector<std::size_t> predicted = {};  ///< by each of them: equal for equal outcomes
  double robust_bits = 0;  ///< the same if outcomes a block or two apart cannot be told apart
};

/// Probes for sessions that do not build on each other: those of each, in their order.
using Sessions = std::vector<std::vector<Candidate>>;

/// Looks for the probe on which the surviving hypotheses disagree most. Query by committee
/// (Seung, Opper, Sompolinsky, 1992): candidates from every family, then mutations of the best, are
/// predicted under a committee of survivors; the more evenly the predictions fall apart, the more
/// the answer will tell. Probes that split them in different ways are joined to one. The members
/// predict on all cores; what is found does not depend on how many there are.
class Search {
 public:
  using Draw = std::function<std::vector<Hypothesis>(int count)>;

  /// `draw`: a committee of at most so many. `history`: what was asked so far. `channels`: what the
  /// oracle shows beside the SM of each block.
  Search(const Device& device, Draw draw, const std::vector<Recording>& history,
         const std::vector<std::string>& channels, Rng& rng);

  /// The best candidate that is not among `excluded`; none where nothing splits the committee in
  /// so many rounds, or fewer of a large device, or it is to give up.
  std::optional<Candidate> best(const std::vector<Probe>& excluded, int rounds);

  Task task;  ///< what it ends with, it returns

  /// Answers may be wrong in a block or two: outcomes that differ in more are preferred.
  bool robust = false;

  /// What a run shows counts only as far as it is exact (probes/exact_steps.h).
  bool exact_only = false;

  /// Where members leave open what happens, what usually does counts as well.
  bool by_chance = false;

  /// It ends once the committee predicted where so many blocks go, too.
  std::int64_t most_placements = 30'000'000;

  /// Brings a fresh simulator into the state in which the next probe will find the oracle. Called
  /// for several at once.
  std::function<void(Simulator&)> bring_along = [](Simulator&) {};

 private:
  void draw_committee();
  void draw_from_families();
  void vary_asked();
  void vary_near(std::vector<Candidate>& near);
  void mutate_best();
  void consider(std::vector<Candidate> candidates);
  void consider(Probe probe, const std::string& why);
  void rate(Candidate candidate);
  bool join_to_best();
  void join_best();
  void split_a_pair();
  bool all_start(const Probe& probe);
  void drop_what_splits_no_share(std::vector<Candidate>& candidates);
  std::vector<int> members(int every) const;
  std::vector<std::vector<Outcome>> outcomes(const std::vector<int>& members,
                                             const std::vector<Candidate>& of);
  void keep_hidden(std::vector<Candidate>& near);
  bool tells(const std::vector<std::vector<Outcome>>& predicted, std::size_t i,
             const Candidate& candidate);
  Observation seen_of(Simulator& member, const Probe& probe) const;
  double robust_bits(const Candidate& candidate);
  bool splits() const { return !best_.empty(); }
  bool may_go_on() const;

  const Device& device_;
  Draw draw_;
  const std::vector<Recording>& history_;
  SeenChannels channels_;
  Rng& rng_;
  std::vector<Simulator> committee_;  ///< each in the state that the session so far left it in
  std::vector<int> like_;             ///< of each: the first member in that state
  FormulaNumbers numbers_;            ///< of the committee
  const std::vector<Probe>* excluded_ = nullptr;
  int round_ = 0;
  std::int64_t placements_ = 0;    ///< predicted, by all members
  std::vector<Candidate> hidden_;  ///< of those considered last, what would if nothing were hidden
  std::vector<Candidate> near_drawn_;  ///< some of these, drawn from families
  std::vector<Candidate> near_asked_;  ///< the same of variations of what was asked
  std::vector<Candidate> split_;       ///< those that split the committee
  std::vector<Candidate> best_;        ///< the best of them, best first
};

}  // namespace cuvier
