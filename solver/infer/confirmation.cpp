#include "solver/infer/confirmation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hypotheses/readings/choices.h"
#include "solver/evidence/doubt.h"

namespace cuvier {
namespace {

/// Rounds of the search for a probe that says the same as one that is taken away.
constexpr int kRounds = 8;

/// Probes of a session that show what was not seen yet; the first few show most. A mechanism may be
/// another one after many probes: two sessions are long. And probes where answers may be wrong.
constexpr int kUnseenFirst = 12;
constexpr int kUnseen = 34;
constexpr int kUnseenWhereDoubted = 24;

/// Probes of each family that only confirms, all of one session: not all that these ask for are
/// kinds of launches.
constexpr int kOfEachFamily = 10;
constexpr int kDrawsAsOne = 4;  ///< that make up such a probe

/// Probes of a session that show special cases which none would have shown before.
constexpr int kSpecial = 20;

/// Runs of a probe that should not always show the same.
constexpr int kRunsThatVary = 8;

constexpr int kAfterMuch = 4;

/// In how many ways the probe may end, by so many draws of what nobody controls.
int outcomes_of(const Simulator& simulator, const Probe& probe) {
  std::vector<Observation> outcomes;
  for (int seed = 1; seed <= kRunsThatVary; ++seed) {
    DrawnChoices choices(seed);
    Simulator member = simulator;
    Observation outcome = member.preview(probe, &choices);
    if (std::ranges::find(outcomes, outcome) == outcomes.end()) outcomes.push_back(outcome);
  }
  return static_cast<int>(outcomes.size());
}

}  // namespace

Confirmation::Confirmation(Oracle& oracle, const EvidenceLog& evidence, Rng& rng, Means means)
    : oracle_(oracle),
      evidence_(evidence),
      rng_(rng),
      means_(std::move(means)),
      limits_(limit_probes(oracle.device())),
      sweeps_(sweep_probes(oracle.device())),
      programme_(programme()) {}

/// What was set once and for all shows in another session only. Where answers may be wrong there
/// are few probes, one by one: a wrong one begins it anew.
std::vector<Confirmation::Batch> Confirmation::programme() const {
  const std::string_view why = "what was not seen yet";
  if (evidence_.independent()) {
    std::vector<Batch> all(kUnseenWhereDoubted, {{1, &Confirmation::not_seen_yet, why}});
    all.resize(all.size() + kRunsThatVary, {{1, &Confirmation::that_varies, "what should vary"}});
    return all;
  }
  const Part limits{static_cast<int>(limits_.size()), &Confirmation::of_a_limit, "a limit"};
  const Part unseen{kUnseen, &Confirmation::not_seen_yet, why};
  const auto confirming = confirming_families(oracle_.device());
  const Part families{kOfEachFamily * static_cast<int>(confirming.size()),
                      &Confirmation::of_a_confirming_family, "what else may matter"};
  const Part sweeps{static_cast<int>(sweeps_.size()), &Confirmation::of_a_sweep,
                    "each number once"};
  const Part special{kSpecial, &Confirmation::of_a_special_case, "a special case"};
  const Part after{kAfterMuch, &Confirmation::after_much, "once more in another session"};
  return {{{kUnseenFirst, &Confirmation::not_seen_yet, why}, limits},
          {unseen, unseen, families, sweeps},
          {special, special, special},
          {special, special, special},
          {after, after, after},
          {{kRunsThatVary, &Confirmation::that_varies, "what should vary"}}};
}

void Confirmation::confirmed_by(std::size_t probe, bool to_one) {
  ++confirmations_;
  // Without this one, what is left was one behaviour already.
  if (to_one) examined_.insert(probe);
}

void Confirmation::begin_again(bool revised) {
  confirmations_ = 0;
  unseen_.reset();
  special_.reset();
  varying_.reset();
  // What nothing else confirmed may have been confirmed by what was told now.
  if (revised || !unconfirmed_.empty()) examined_.clear();
  unconfirmed_.clear();
}

Doing Confirmation::within(const Doing& doing) const {
  int all = 0;
  for (const Batch& batch : programme_) {
    for (const Part& part : batch) all += part.probes;
  }
  if (confirmations_ >= all) return doing;
  return {fmt::format("{}; {} of {} probes confirm so far", doing.what, confirmations_, all),
          confirmations_, all};
}

Sessions Confirmation::next(int most) {
  if (evidence_.independent()) {
    if (auto candidate = cross_examining()) return {{*std::move(candidate)}};
  }
  look_back();
  int turn = confirmations_;
  for (const Batch& batch : programme_) {
    Sessions sessions;
    for (const Part& part : batch) {
      const int first = std::min(turn, part.probes);
      turn -= first;
      auto drawn = draw(part, first, most);
      most -= static_cast<int>(drawn.size());
      if (!drawn.empty()) sessions.push_back(std::move(drawn));
    }
    if (!sessions.empty()) return sessions;
  }
  expect_variation();
  return {};
}

void Confirmation::look_back() {
  const auto& observed = evidence_.space().observed();
  const auto came_about = [](const Recording& foreseen, const Recording& seen) {
    return foreseen.fresh == seen.fresh && same_question(foreseen.probe, seen.probe);
  };
  if (!std::ranges::equal(foreseen_, observed, came_about)) {
    unseen_.reset();
    special_.reset();
  }
  foreseen_ = observed;
}

/// Each place in the programme is asked for: where an inference goes on, their number tells it.
std::vector<Candidate> Confirmation::draw(const Part& part, int turn, int most) {
  std::vector<Candidate> drawn;
  for (; turn < part.probes && std::ssize(drawn) < most; ++turn) {
    auto probe = (this->*part.draw)(turn);
    if (!probe && part.draw != &Confirmation::that_varies) probe = another();
    if (!probe) break;
    foresee(*probe, drawn.empty());
    drawn.push_back({*std::move(probe), fmt::format("confirming, {}", part.why), 0, 0, 0});
  }
  return drawn;
}

void Confirmation::foresee(const Probe& probe, bool fresh) {
  Simulator there = unseen().simulator();
  const auto opening = fresh ? oracle_.opening() : nullptr;
  if (fresh) there.begin_session(opening.get());
  foreseen_.push_back({probe, facts_of(there.preview(probe), probe), fresh, {}, opening});
}

/// Any that was not asked.
std::optional<Probe> Confirmation::another() {
  const std::vector<ProbeFamily> families = probe_families(oracle_.device());
  constexpr int tries = 100;
  for (int i = 0; i < tries && !means_.task.is_to_end(); ++i) {
    Probe probe = pick_from(rng_, families).draw(oracle_.device(), rng_);
    if (!is_known(probe)) return probe;
  }
  return std::nullopt;
}

std::optional<Probe> Confirmation::of_a_limit(int turn) {
  return is_known(limits_[turn]) ? std::nullopt : std::optional(limits_[turn]);
}

std::optional<Probe> Confirmation::of_a_sweep(int turn) {
  return is_known(sweeps_[turn]) ? std::nullopt : std::optional(sweeps_[turn]);
}

std::optional<Probe> Confirmation::not_seen_yet(int) {
  UnseenProbes& probes = unseen();
  while (auto probe = probes.next(foreseen_, means_.task)) {
    if (!is_known(*probe)) return probe;
  }
  return std::nullopt;
}

std::optional<Probe> Confirmation::of_a_confirming_family(int turn) {
  const std::vector<ProbeFamily> families = confirming_families(oracle_.device());
  const ProbeFamily& family = families[turn % families.size()];
  Probe probe = family.draw(oracle_.device(), rng_);
  for (int draws = 1; draws < kDrawsAsOne; ++draws) {
    probe = join(probe, family.draw(oracle_.device(), rng_));
  }
  return is_known(probe) ? std::nullopt : std::optional(std::move(probe));
}

std::optional<Probe> Confirmation::of_a_special_case(int turn) {
  SpecialCaseProbes& probes = special();
  while (auto probe = probes.next(means_.task)) {
    if (!is_known(*probe)) return probe;
  }
  return not_seen_yet(turn);
}

/// Something that asks for much, and then what was asked before.
std::optional<Probe> Confirmation::after_much(int turn) {
  return turn == 0 ? pick_from(rng_, limits_) : pick_from(rng_, evidence_.space().observed()).probe;
}

/// What is left leaves something open only because nothing else explains everything: then the same
/// probe should not always show the same, or something else explains it.
std::optional<Probe> Confirmation::that_varies(int) {
  if (varying_ || !leaves_open(evidence_.space().simplest())) return varying_;
  int most = kRunsThatVary / 2;
  for (const Recording& recording : evidence_.space().observed()) {
    const int outcomes = outcomes_of(unseen().simulator(), recording.probe);
    if (outcomes <= most) continue;
    most = outcomes;
    varying_ = recording.probe;
  }
  return varying_;
}

void Confirmation::expect_variation() {
  if (!varying_) return;
  std::vector<std::vector<Fact>> seen;
  for (const Recording& recording : evidence_.space().observed()) {
    if (same_question(recording.probe, *varying_)) seen.push_back(recording.facts);
  }
  if (std::ranges::adjacent_find(seen, std::not_equal_to<>()) == seen.end()) {
    unconfirmed_ =
        fmt::format("but it leaves open what {} shows, which was always the same in {} runs",
                    varying_->name, seen.size());
  }
}

UnseenProbes& Confirmation::unseen() {
  if (!unseen_) {
    unseen_.emplace(oracle_.device(), evidence_.space().simplest(), rng_);
  }
  unseen_->observe(foreseen_);
  return *unseen_;
}

SpecialCaseProbes& Confirmation::special() {
  if (!special_) {
    special_.emplace(oracle_.device(), oracle_.channels(), evidence_.space().simplest(), rng_);
  }
  special_->observe(foreseen_, means_.task);
  return *special_;
}

Confirmed Confirmation::confirmed() {
  look_back();
  Confirmed confirmed;
  const Coverage& coverage = unseen().coverage();
  confirmed.probes = confirmations_;
  confirmed.sessions =
      static_cast<int>(std::ranges::count_if(evidence_.space().observed(), &Recording::fresh));
  confirmed.limits = static_cast<int>(std::ranges::count_if(limits_, [&](const Probe& probe) {
    return std::ranges::any_of(
        evidence_.asked(), [&](const Runs& runs) { return same_question(runs.probe(), probe); });
  }));
  confirmed.features = coverage.features();
  confirmed.pairs = static_cast<int>(coverage.pairs(/*seen=*/true).size());
  confirmed.apart = coverage.pairs(/*seen=*/false);
  confirmed.special_cases = special().all();
  confirmed.special_cases_shown = special().shown();
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
              "but only {} says so, and nothing was found that asks the same in another way", name);
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
  const auto is_this = [&](const Probe& other) { return same_question(probe, other); };
  return std::ranges::any_of(evidence_.known(), is_this) ||
         std::ranges::any_of(foreseen_, is_this, &Recording::probe);
}

}  // namespace cuvier
