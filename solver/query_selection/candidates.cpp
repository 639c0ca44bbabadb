#include "solver/query_selection/candidates.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>
#include <set>

#include "probes/exact_steps.h"

namespace cuvier {
namespace {

// Sizes of the search. A probe asked costs more than a probe imagined, but the user waits
// for both.
constexpr int kCommittee = 48;
constexpr int kShare = 12;  // of a larger committee, once nothing split all of it
constexpr int kDrawsPerFamily = 6;
constexpr int kKept = 6;
constexpr int kVariationsOfAsked = 24;
constexpr int kVariationsOfNear = 12;  // of each kind
constexpr std::size_t kMostNearKept = 16;
constexpr int kMutationRounds = 3;
constexpr int kMutationsOfEach = 4;
constexpr int kMostJoined = 4;
constexpr int kPartners = 3;  // to be tried: state that the first leaves may spoil the second
constexpr std::size_t kMostActions = 36;

// Pairs of members that the best does not tell apart, and probes to tell the two of a pair apart:
// two predict in no time what the whole committee takes long for.
constexpr int kPairs = 7;
constexpr int kDrawsForPair = 160;

// Candidates that a pair predicts in one go.
constexpr int kAtOnce = 16;

// Each action of a script costs a settle time on a GPU: worth this many bits.
constexpr double kBitsPerAction = 0.01;

double worth(double bits, std::size_t actions) {
  return bits - kBitsPerAction * static_cast<double>(actions);
}

// What a wrong reading might tell as well is worth this much of a bit.
constexpr double kFragile = 0.25;

double worth(const Candidate& candidate) {
  return worth(candidate.robust_bits + kFragile * (candidate.bits - candidate.robust_bits),
               candidate.probe.script.size());
}

}  // namespace

Search::Search(const Device& device, Draw draw, const std::vector<Recording>& history,
               const std::vector<std::string>& channels, Rng& rng)
    : device_(device),
      draw_(std::move(draw)),
      history_(history),
      channels_{std::ranges::find(channels, "warp_slot") != channels.end(),
                std::ranges::find(channels, "shared_config") != channels.end()},
      rng_(rng) {}

void Search::draw_committee() {
  const std::vector<Hypothesis> drawn = draw_(kCommittee);
  numbers_ = FormulaNumbers(drawn);
  for (const Hypothesis& hypothesis : drawn) committee_.emplace_back(device_, hypothesis);
  tbb::parallel_for(std::size_t{0}, committee_.size(),
                    [&](std::size_t member) { bring_along(committee_[member]); });
  like_.clear();
  for (const Simulator& member : committee_) {
    const auto first = std::ranges::find_if(committee_, [&](const Simulator& other) {
      return leaves_open(member.hypothesis()) == leaves_open(other.hypothesis()) &&
             member.is_where(other);
    });
    like_.push_back(static_cast<int>(first - committee_.begin()));
  }
}

/// What the probe would show if the member were true.
Observation Search::seen_of(Simulator& member, const Probe& probe) const {
  Observation seen = member.preview(probe);
  int certain = static_cast<int>(seen.steps.size());
  if (!by_chance) certain = steps_of_one_outcome(device_, member.hypothesis(), probe);
  if (exact_only) certain = std::min(certain, exact_steps(seen, probe));
  seen.steps.resize(certain);
  return seen;
}

double Search::robust_bits(const Candidate& candidate) {
  std::map<std::size_t, std::size_t> group_of;  // by outcome; groups are named after an outcome
  std::map<std::size_t, std::vector<int>> places_of;
  for (std::size_t i = 0; i < committee_.size(); ++i) {
    const std::size_t outcome = candidate.predicted[i];
    if (group_of.contains(outcome)) continue;
    const auto where =
        places(seen_of(committee_[i], candidate.probe), candidate.probe, device_.sms);
    group_of[outcome] = outcome;
    for (const auto& [other, there] : places_of) {
      if (far_apart(where, there)) continue;
      const std::size_t joined = group_of[other];
      const std::size_t own = group_of[outcome];
      for (auto& [each, group] : group_of) group = group == joined ? own : group;
    }
    places_of[outcome] = where;
  }
  std::vector<std::size_t> groups;
  for (const std::size_t outcome : candidate.predicted) groups.push_back(group_of[outcome]);
  return entropy_bits(groups);
}

/// By each of these members, the outcome of each. All that was hidden is compared, too, once
/// nothing that is seen told any apart.
std::vector<std::vector<Outcome>> Search::outcomes(const std::vector<int>& members,
                                                   const std::vector<Candidate>& of) {
  for (const Candidate& candidate : of) {
    for (const Kernel& kernel : candidate.probe.kernels) {
      placements_ += static_cast<std::int64_t>(members.size()) * kernel.blocks;
    }
  }
  const bool all_too = round_ > 0 && !splits();
  std::vector<std::vector<Outcome>> outcomes(members.size());
  const auto predict = [&](std::size_t i, const Candidate& candidate) {
    const Observation seen = seen_of(committee_[members[i]], candidate.probe);
    outcomes[i].push_back(outcome_of(seen, channels_, all_too));
  };
  if (members.size() <= 2) {  // either has a core
    tbb::parallel_for(std::size_t{0}, members.size(), [&](std::size_t i) {
      for (const Candidate& candidate : of) predict(i, candidate);
    });
    return outcomes;
  }
  // Most of many differ from the first in what a candidate does not depend on.
  for (const Candidate& candidate : of) {
    predict(0, candidate);
    const Simulator& first = committee_[members[0]];
    tbb::parallel_for(std::size_t{1}, members.size(), [&](std::size_t i) {
      if (like_[members[i]] == like_[members[0]] &&
          first.is_as_under(committee_[members[i]].hypothesis())) {
        outcomes[i].push_back(outcomes[0].back());
      } else {
        predict(i, candidate);
      }
    });
  }
  return outcomes;
}

/// Whether any two of the members see it otherwise, or would if nothing were hidden.
bool Search::tells(const std::vector<std::vector<Outcome>>& predicted, std::size_t i,
                   const Candidate& candidate) {
  const auto differ = [&](std::size_t Outcome::*what) {
    return std::ranges::any_of(
        predicted, [&](const auto& by) { return by[i].*what != predicted.front()[i].*what; });
  };
  if (differ(&Outcome::seen)) return true;
  if (differ(&Outcome::all)) hidden_.push_back(candidate);
  return false;
}

/// What only hidden channels show may yet come to light.
void Search::keep_hidden(std::vector<Candidate>& near) {
  for (Candidate& candidate : hidden_) {
    if (near.size() < kMostNearKept) {
      near.push_back(std::move(candidate));
    } else {
      near[uniform(rng_, 0, static_cast<int>(kMostNearKept) - 1)] = std::move(candidate);
    }
  }
  hidden_.clear();
}

/// Those of the committee that are among every so many, from the round's own on.
std::vector<int> Search::members(int every) const {
  std::vector<int> members;
  for (int i = round_ % every; i < std::ssize(committee_); i += every) members.push_back(i);
  return members;
}

/// Of a committee that nothing split in a whole round most are alike: a share of it is asked first,
/// another one in each round, and the others only of what splits these.
void Search::drop_what_splits_no_share(std::vector<Candidate>& candidates) {
  const int shares = static_cast<int>(committee_.size()) / kShare;
  if (round_ == 0 || splits() || shares < 2) return;
  const auto predicted = outcomes(members(shares), candidates);
  std::vector<Candidate> splitting;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (tells(predicted, i, candidates[i])) splitting.push_back(std::move(candidates[i]));
  }
  candidates = std::move(splitting);
}

void Search::consider(std::vector<Candidate> candidates) {
  hidden_.clear();
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return std::ranges::any_of(
        *excluded_, [&](const Probe& other) { return same_question(candidate.probe, other); });
  });
  drop_what_splits_no_share(candidates);
  const auto predicted = outcomes(members(1), candidates);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!tells(predicted, i, candidates[i])) continue;
    for (const auto& by_member : predicted) candidates[i].predicted.push_back(by_member[i].seen);
    rate(std::move(candidates[i]));
  }
}

void Search::consider(Probe probe, const std::string& why) { consider({{std::move(probe), why}}); }

/// Keeps the candidate, which splits the committee.
void Search::rate(Candidate candidate) {
  candidate.committee = static_cast<int>(committee_.size());
  const std::set<std::size_t> different(candidate.predicted.begin(), candidate.predicted.end());
  candidate.outcomes = static_cast<int>(different.size());
  candidate.bits = entropy_bits(candidate.predicted);
  candidate.robust_bits = robust ? robust_bits(candidate) : candidate.bits;
  split_.push_back(candidate);
  const auto place = std::ranges::upper_bound(best_, worth(candidate), std::greater<>{},
                                              [](const Candidate& c) { return worth(c); });
  best_.insert(place, std::move(candidate));
  if (best_.size() > kKept) best_.pop_back();
}

/// Whether no block is left waiting, as far as the simplest member knows: what a release of
/// several blocks lets in depends on the order in which a GPU frees them.
bool Search::all_start(const Probe& probe) {
  std::size_t blocks = 0;
  for (const Action& action : probe.script) {
    if (action.launch) blocks += probe.kernels[*action.launch].blocks;
  }
  for (const Step& step : committee_.front().preview(probe).steps) {
    for (const Started& started : step.started) blocks -= started.sm.size();
  }
  return blocks == 0;
}

/// Joins the best one with what tells most of that which it does not tell. Late in an inference
/// what is open are a few questions that have nothing to do with each other; a probe may ask all.
bool Search::join_to_best() {
  const Candidate best = best_.front();
  const bool best_first = all_start(best.probe);
  struct Partner {
    double together;  ///< what both are worth, if the one does not disturb the other
    std::size_t index;
  };
  std::vector<Partner> partners;
  for (std::size_t i = 0; i < split_.size(); ++i) {
    const std::size_t actions = best.probe.script.size() + 1 + split_[i].probe.script.size();
    const double together = worth(joint_bits(best.predicted, split_[i].predicted), actions);
    if (actions > kMostActions || together <= worth(best.bits, best.probe.script.size())) continue;
    partners.push_back({together, i});
  }
  std::ranges::stable_sort(partners, std::greater{}, &Partner::together);
  int tried = 0;
  for (const auto& [together, index] : partners) {
    const Candidate other = split_[index];
    if (!best_first && !all_start(other.probe)) continue;
    const Candidate& first = best_first ? best : other;
    const Candidate& second = best_first ? other : best;
    consider(join(first.probe, second.probe), first.why + ", then " + second.why);
    if (!(best_.front().probe == best.probe)) return true;
    if (++tried == kPartners) return false;
  }
  return false;
}

void Search::vary_asked() {
  // What told hypotheses apart before is a good place to look for what tells the rest apart.
  std::vector<Candidate> candidates;
  for (int i = 0; i < kVariationsOfAsked && !history_.empty(); ++i) {
    const auto& asked = history_[uniform(rng_, 0, static_cast<int>(history_.size()) - 1)];
    Probe probe = mutate(asked.probe, device_, rng_);
    for (int more = uniform(rng_, 0, 3); more > 0; --more) probe = mutate(probe, device_, rng_);
    candidates.push_back({std::move(probe), "mutated " + asked.name()});
  }
  consider(std::move(candidates));
  keep_hidden(near_asked_);
}

void Search::vary_near(std::vector<Candidate>& near) {
  std::vector<Candidate> candidates;
  for (int i = 0; i < kVariationsOfNear && !near.empty(); ++i) {
    const Candidate& parent = near[uniform(rng_, 0, static_cast<int>(near.size()) - 1)];
    Probe probe = mutate(parent.probe, device_, rng_);
    for (int more = uniform(rng_, 0, 2); more > 0; --more) probe = mutate(probe, device_, rng_);
    const bool again = parent.why.starts_with("mutated ");
    candidates.push_back({std::move(probe), again ? parent.why : "mutated " + parent.why});
  }
  consider(std::move(candidates));
  keep_hidden(near);
}

void Search::draw_from_families() {
  for (const ProbeFamily& family : probe_families(device_)) {
    if (task.is_to_end()) return;
    std::vector<Candidate> candidates;
    for (int i = 0; i < kDrawsPerFamily; ++i) {
      Probe probe = family.draw(device_, rng_);
      if (!numbers_.empty() && i % 2 == 1)
        probe = numbers_.put_into(std::move(probe), device_, rng_);
      candidates.push_back({std::move(probe), std::string(family.name)});
    }
    consider(std::move(candidates));
    keep_hidden(near_drawn_);
  }
}

void Search::mutate_best() {
  for (int round = 0; round < kMutationRounds; ++round) {
    if (!may_go_on()) return;
    std::vector<Candidate> candidates;
    for (const Candidate& parent : best_) {
      const bool again = parent.why.starts_with("mutated ");
      for (int i = 0; i < kMutationsOfEach; ++i) {
        candidates.push_back(
            {mutate(parent.probe, device_, rng_), again ? parent.why : "mutated " + parent.why});
      }
    }
    consider(std::move(candidates));
  }
}

void Search::join_best() {
  for (int joined = 1; joined < kMostJoined && join_to_best(); ++joined) {
  }
}

/// Looks for what tells two members apart that the best one does not, to ask that as well.
void Search::split_a_pair() {
  const std::vector<std::size_t> predicted = best_.front().predicted;
  const int last = static_cast<int>(predicted.size()) - 1;
  const int one = uniform(rng_, 0, last);
  int other = uniform(rng_, 0, last);
  for (int next = 0; next < last && (other == one || predicted[other] != predicted[one]); ++next) {
    other = (other + 1) % (last + 1);
  }
  if (other == one || predicted[other] != predicted[one]) return;
  const auto families = probe_families(device_);
  for (int draw = 0; draw < kDrawsForPair && may_go_on();) {
    std::vector<Candidate> candidates;
    for (int i = 0; i < kAtOnce; ++i) {
      const ProbeFamily& family = families[draw++ % families.size()];
      candidates.push_back({family.draw(device_, rng_), std::string(family.name)});
    }
    const auto predicted = outcomes({one, other}, candidates);
    const auto differing =
        std::ranges::mismatch(predicted[0], predicted[1], {}, &Outcome::seen, &Outcome::seen).in1;
    if (differing == predicted[0].end()) continue;
    consider({std::move(candidates[differing - predicted[0].begin()])});
    join_best();
    return;
  }
}

bool Search::may_go_on() const { return placements_ < most_placements && !task.is_to_end(); }

std::optional<Candidate> Search::best(const std::vector<Probe>& excluded, int rounds) {
  excluded_ = &excluded;
  draw_committee();
  for (round_ = 0; round_ < rounds && !splits() && may_go_on(); ++round_) {
    // What nothing told apart so far, others may: ask other members of the space, too.
    if (round_ > 0 && round_ % 10 == 0) {
      committee_.clear();
      draw_committee();
    }
    task.tell(
        fmt::format("searching, round {}: {} hypotheses are asked", round_ + 1, committee_.size()));
    draw_from_families();
    if (!splits()) vary_asked();
    for (auto* near : {&near_drawn_, &near_asked_}) {
      if (!splits()) vary_near(*near);
    }
  }
  if (splits()) {
    mutate_best();
    join_best();
  }
  for (int pair = 0; pair < std::min(kPairs, rounds - round_) && splits() && may_go_on(); ++pair) {
    split_a_pair();
  }
  if (!splits() || task.is_to_end()) return std::nullopt;
  return best_.front();
}

}  // namespace cuvier
