#include "solver/infer/confirmation.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "hypotheses/neighbours.h"
#include "hypotheses/readings/choices.h"
#include "solver/evidence/doubt.h"

namespace cuvier {
namespace {

/// Rounds of the search for a probe that says the same as one that is taken away.
constexpr int kRounds = 8;

/// Probes that show what was not seen yet, and the same where answers may be wrong. The first few
/// show most.
constexpr int kUnseen = 200;
constexpr int kUnseenFirst = 12;
constexpr int kUnseenOnce = 24;

/// They are chosen among so many: of families, past edges, varied from those that were asked, and,
/// for a change of an axis that few show, more like these: so many tries, until so many show it.
constexpr int kOfFamilies = 400;
constexpr int kEdges = 120;
constexpr int kVaried = 100;
constexpr int kTriesForChange = 150;
constexpr int kShowChange = 60;

/// Runs of a probe that should not always show the same.
constexpr int kRunsThatVary = 8;

constexpr int kAfterMuch = 4;

/// In how many ways the probe may end, by so many draws of what nobody controls.
int outcomes_of(const Simulator& simulator, const Probe& probe) {
  std::vector<Observation> outcomes;
  for (int seed = 1; seed <= kRunsThatVary; ++seed) {
    DrawnChoices choices(seed);
    Simulator member = simulator;
    Observation outcome = member.preview(probe, choices);
    if (std::ranges::find(outcomes, outcome) == outcomes.end()) outcomes.push_back(outcome);
  }
  return static_cast<int>(outcomes.size());
}

/// The kernel of which the two first show something else.
std::optional<int> first_difference(const Observation& a, const Observation& b) {
  for (std::size_t step = 0; step < a.steps.size(); ++step) {
    if (a.steps[step] == b.steps[step]) continue;
    const auto& of_a = a.steps[step].started;
    const auto& of_b = b.steps[step].started;
    const auto [in_a, in_b] = std::ranges::mismatch(of_a, of_b);
    if (in_a == of_a.end() && in_b == of_b.end()) return a.steps[step].shared_config.begin()->first;
    const int none = std::numeric_limits<int>::max();
    return std::min(in_a == of_a.end() ? none : in_a->kernel,
                    in_b == of_b.end() ? none : in_b->kernel);
  }
  return std::nullopt;
}

}  // namespace

Confirmation::Confirmation(Oracle& oracle, const EvidenceLog& evidence, Rng& rng, Means means)
    : oracle_(oracle),
      evidence_(evidence),
      rng_(rng),
      means_(std::move(means)),
      limits_(limit_probes(oracle.device())),
      programme_(programme()) {}

/// What was set once and for all shows in another session only, and what comes after many probes
/// in a long one. Where answers may be wrong there are few probes: a wrong one begins it anew.
std::vector<Confirmation::Part> Confirmation::programme() const {
  const std::string_view unseen = "what was not seen yet";
  if (evidence_.independent()) return {{kUnseenOnce, &Confirmation::not_seen_yet, unseen}};
  std::vector<Part> parts = {
      {kUnseenFirst, &Confirmation::not_seen_yet, unseen},
      {static_cast<int>(limits_.size()), &Confirmation::of_a_limit, "a limit", true},
      {kUnseen - kUnseenFirst, &Confirmation::not_seen_yet, unseen},
  };
  for (int session = 0; session < 3; ++session) {
    parts.push_back({kAfterMuch, &Confirmation::after_much, "once more in another session", true});
  }
  return parts;
}

void Confirmation::confirmed_by(std::size_t probe, bool to_one) {
  ++confirmations_;
  // Without this one, what is left was one behaviour already.
  if (to_one) examined_.insert(probe);
}

void Confirmation::begin_again(bool revised) {
  confirmations_ = 0;
  session_begun_at_ = 0;
  asked_.reset();
  varying_.reset();
  // What nothing else confirmed may have been confirmed by what was told now.
  if (revised || !unconfirmed_.empty()) examined_.clear();
  unconfirmed_.clear();
}

std::optional<Candidate> Confirmation::next() {
  if (evidence_.independent()) {
    if (auto candidate = cross_examining()) return candidate;
  }
  int turn = confirmations_;
  for (const Part& part : programme_) {
    if (turn >= part.probes) {
      turn -= part.probes;
      continue;
    }
    if (turn == 0 && part.in_new_session && session_begun_at_ != confirmations_) {
      session_begun_at_ = confirmations_;
      oracle_.begin_session();
    }
    auto probe = (this->*part.draw)(turn);
    // Each place in the programme is asked for: where an inference goes on, their number tells it.
    if (!probe) probe = another();
    if (!probe) return std::nullopt;
    return Candidate{*std::move(probe), fmt::format("confirming, {}", part.why), 0, 0, 0};
  }
  auto probe = that_varies(turn);
  if (!probe) return std::nullopt;
  return Candidate{*std::move(probe), "confirming, what should vary", 0, 0, 0};
}

/// Any that was not asked.
std::optional<Probe> Confirmation::another() {
  const std::vector<ProbeFamily> families = probe_families(oracle_.device());
  constexpr int tries = 100;
  for (int i = 0; i < tries && !means_.task.is_to_end(); ++i) {
    Probe probe = families[any(families.size())].draw(oracle_.device(), rng_);
    if (!is_known(probe)) return probe;
  }
  return std::nullopt;
}

std::size_t Confirmation::any(std::size_t count) {
  return uniform(rng_, 0, static_cast<int>(count) - 1);
}

std::optional<Probe> Confirmation::of_a_limit(int turn) {
  return is_known(limits_[turn]) ? std::nullopt : std::optional(limits_[turn]);
}

/// A mechanism may be another one for some launches alone: so launches of many kinds are asked for,
/// and that each change of an axis would have shown in many.
std::optional<Probe> Confirmation::not_seen_yet(int) {
  Asked& before = asked();
  if (!before.stock) {
    const Device& device = oracle_.device();
    const auto& observed = evidence_.space().observed();
    std::vector<Previewed> drawn;
    const std::vector<ProbeFamily> families = probe_families(device);
    for (int i = 0; i < kOfFamilies; ++i) drawn.push_back(drawn_of(families[any(families.size())]));
    for (int i = 0; i < kEdges; ++i) drawn.push_back(drawn_of(edges()));
    for (int i = 0; i < kVaried && !observed.empty(); ++i) {
      drawn.push_back({mutate(observed[any(observed.size())].probe, device, rng_)});
    }
    preview(drawn);
    for (int change = 0; change < std::ssize(before.changed); ++change) {
      add_more(drawn, change);
    }
    before.stock = stock(std::move(drawn));
  }
  while (auto probe = before.stock->take(before.coverage)) {
    if (!is_known(*probe)) return probe;
  }
  return std::nullopt;
}

Confirmation::Previewed Confirmation::drawn_of(const ProbeFamily& family) {
  return {family.draw(oracle_.device(), rng_), family};
}

/// What each would show, and which of the changes.
void Confirmation::preview(std::vector<Previewed>& probes) {
  means_.task.tell(fmt::format("choosing among {} probes to confirm by", probes.size()));
  Asked& before = asked();
  for (Previewed& each : probes) {
    each.seen = seen_through(oracle_.channels(), before.simulator.preview(each.probe));
  }
  std::vector<std::vector<std::optional<int>>> shown(before.changed.size());
  tbb::parallel_for(std::size_t{0}, shown.size(), [&](std::size_t change) {
    for (const Previewed& each : probes) {
      shown[change].push_back(parting_kernel(each, before.changed[change]));
    }
  });
  for (int change = 0; change < std::ssize(shown); ++change) {
    for (std::size_t i = 0; i < probes.size(); ++i) {
      if (const auto kernel = shown[change][i]) probes[i].shown.push_back({change, *kernel});
    }
  }
}

/// Of the same families as those that show the change, and neighbours of theirs, what shows it,
/// too.
void Confirmation::add_more(std::vector<Previewed>& probes, int change) {
  const auto shows = [&](const Previewed& each) {
    return std::ranges::find(each.shown, change, &Coverage::Shown::change) != each.shown.end();
  };
  std::vector<Previewed> showing;
  std::ranges::copy_if(probes, std::back_inserter(showing), shows);
  if (showing.empty()) return;
  Asked& before = asked();
  for (int i = 0; i < kTriesForChange && std::ssize(showing) < kShowChange; ++i) {
    const Previewed& like = showing[any(showing.size())];
    Previewed more = i % 2 == 0 && like.family.draw
                         ? drawn_of(like.family)
                         : Previewed{mutate(like.probe, oracle_.device(), rng_), like.family};
    more.seen = seen_through(oracle_.channels(), before.simulator.preview(more.probe));
    const auto kernel = parting_kernel(more, before.changed[change]);
    if (!kernel) continue;
    more.shown = {{change, *kernel}};
    probes.push_back(more);
    showing.push_back(std::move(more));
  }
}

/// The kernel whose blocks would first go elsewhere.
std::optional<int> Confirmation::parting_kernel(const Previewed& previewed,
                                                Simulator& otherwise) const {
  return first_difference(previewed.seen,
                          seen_through(oracle_.channels(), otherwise.preview(previewed.probe)));
}

ProbeStock Confirmation::stock(std::vector<Previewed> probes) {
  const Asked& before = asked();
  std::vector<ProbeStock::Drawn> drawn;
  for (Previewed& each : probes) {
    auto pairs = before.coverage.pairs_of({each.probe, each.seen, before.in_session, each.shown});
    drawn.push_back({std::move(each.probe), std::move(pairs)});
  }
  return ProbeStock(std::move(drawn));
}

/// In a session of its own something that asks for much, and then what was asked before.
/// Never what was asked last: two runs of one question in a row are one probe (evidence_left).
std::optional<Probe> Confirmation::after_much(int turn) {
  const auto& observed = evidence_.space().observed();
  constexpr int tries = 100;
  for (int i = 0; i < tries; ++i) {
    const Probe& probe =
        turn == 0 ? limits_[any(limits_.size())] : observed[any(observed.size())].probe;
    if (!same_question(probe, observed.back().probe)) return probe;
  }
  return std::nullopt;
}

/// What is left leaves something open only because nothing else explains everything: then the same
/// probe should not always show the same, or something else explains it.
std::optional<Probe> Confirmation::that_varies(int turn) {
  if (!leaves_open(evidence_.space().simplest())) return std::nullopt;
  const auto& observed = evidence_.space().observed();
  if (!varying_) {
    int most = kRunsThatVary / 2;
    for (const Recording& recording : observed) {
      const int outcomes = outcomes_of(asked().simulator, recording.probe);
      if (outcomes <= most) continue;
      most = outcomes;
      varying_ = recording.probe;
    }
  }
  if (!varying_ || turn < kRunsThatVary) return varying_;
  std::vector<std::vector<Fact>> seen;
  for (const Recording& recording : observed) {
    if (same_question(recording.probe, *varying_)) seen.push_back(recording.facts);
  }
  if (std::ranges::adjacent_find(seen, std::not_equal_to<>()) == seen.end()) {
    unconfirmed_ =
        fmt::format("but it leaves open what {} shows, which was always the same in {} runs",
                    varying_->name, seen.size());
  }
  return std::nullopt;
}

Confirmation::Asked& Confirmation::asked() {
  const Device& device = oracle_.device();
  if (!asked_) {
    const Hypothesis left = evidence_.space().simplest();
    std::vector<Simulator> changed;
    for (const Hypothesis& other : single_axis_changes(device, left, rng_)) {
      changed.emplace_back(device, other);
    }
    const int changes = static_cast<int>(changed.size());
    asked_.emplace(Asked{Simulator(device, left), std::move(changed), Coverage(device, changes)});
  }
  const auto& observed = evidence_.space().observed();
  for (; asked_->probes < observed.size(); ++asked_->probes) {
    const Recording& recording = observed[asked_->probes];
    if (recording.fresh) asked_->in_session = 0;
    const Observation seen = seen_through(oracle_.channels(), asked_->simulator.replay(recording));
    std::vector<Coverage::Shown> shown;
    for (int change = 0; change < std::ssize(asked_->changed); ++change) {
      const auto kernel = parting_kernel({recording.probe, {}, seen}, asked_->changed[change]);
      if (kernel) shown.push_back({change, *kernel});
    }
    asked_->coverage.add({recording.probe, seen, asked_->in_session++, std::move(shown)});
  }
  return *asked_;
}

Confirmed Confirmation::confirmed() {
  Confirmed confirmed;
  const Asked& all = asked();
  confirmed.probes = confirmations_;
  confirmed.sessions =
      static_cast<int>(std::ranges::count_if(evidence_.space().observed(), &Recording::fresh));
  confirmed.limits = static_cast<int>(std::ranges::count_if(limits_, [&](const Probe& probe) {
    return std::ranges::any_of(
        evidence_.asked(), [&](const Runs& runs) { return same_question(runs.probe(), probe); });
  }));
  confirmed.features = all.coverage.features();
  confirmed.pairs = all.coverage.pairs();
  confirmed.pairs_of_change = all.coverage.pairs_of_change();
  return confirmed;
}

/// A wrong answer may have fitted some hypothesis by chance: so what is left must be left
/// without any one of the probes, too, and where it is not, another probe must say the same.
std::optional<Candidate> Confirmation::cross_examining() {
  const CorrectedSpace& space = evidence_.space();
  for (const auto& correction : space.corrections()) {
    for (std::size_t i = 0; i < space.observed().size(); ++i) {
      if (correction.without.contains(i) || examined_.contains(i)) continue;
      const std::string& name = space.observed()[i].name();
      means_.task.tell(fmt::format("what would be left without {}?", name));
      Subset doubted = correction.without;
      doubted.insert(i);
      const VersionSpace left = space.without(doubted);
      if (left.count().remaining > correction.explanation.count().remaining) {
        auto candidate = means_.search([&](int count) { return left.draw(count, rng_); }, kRounds);
        if (candidate) {
          candidate->why += fmt::format(", for {}", name);
          return candidate;
        }
        if (means_.task.is_to_end()) return std::nullopt;
        if (!means_.is_one_behaviour(left)) {
          unconfirmed_ = fmt::format(
              "but only {} says so, and nothing was found that asks the "
              "same in another way",
              name);
        }
      }
      examined_.insert(i);
    }
  }
  if (const auto probe = evidence_.doubted_too_soon()) {
    unconfirmed_ = fmt::format("but {} says otherwise, and could not be asked in {} other ways",
                               *probe, kRephrased);
  }
  return std::nullopt;
}

bool Confirmation::is_known(const Probe& probe) const {
  return std::ranges::any_of(evidence_.known(),
                             [&](const Probe& other) { return same_question(probe, other); });
}

}  // namespace cuvier
