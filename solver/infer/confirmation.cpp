#include "solver/infer/confirmation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hypotheses/neighbours.h"
#include "solver/evidence/doubt.h"

namespace cuvier {
namespace {

/// Probes in a row that tell nothing new, before what is left counts as confirmed.
constexpr int kConfirmations = 24;

/// Rounds of the search for a probe that says the same as one that is taken away.
constexpr int kRounds = 8;

}  // namespace

Confirmation::Confirmation(const Oracle& oracle, const EvidenceLog& evidence, Rng& rng, Means means)
    : oracle_(oracle), evidence_(evidence), rng_(rng), means_(std::move(means)) {}

void Confirmation::confirmed_by(std::size_t probe, bool to_one) {
  ++confirmations_;
  // Without this one, what is left was one behaviour already.
  if (to_one) examined_.insert(probe);
}

void Confirmation::begin_again(bool revised) {
  confirmations_ = 0;
  // What nothing else confirmed may have been confirmed by what was told now.
  if (revised || !unconfirmed_.empty()) examined_.clear();
  unconfirmed_.clear();
}

std::optional<Candidate> Confirmation::next() {
  if (evidence_.independent()) {
    if (auto candidate = cross_examining()) return candidate;
  }
  const auto families = probe_families(oracle_.device());
  for (int tries = 0; confirmations_ < kConfirmations && tries < kConfirmations; ++tries) {
    const int turn = confirmations_ + tries;
    if (turn % 2 == 0) {
      if (auto candidate = sensitive(turn / 2)) return candidate;
    }
    const ProbeFamily& family = families[turn / 2 % families.size()];
    Probe probe = family.draw(oracle_.device(), rng_);
    if (is_known(probe)) continue;
    return Candidate{std::move(probe), fmt::format("confirming, {}", family.name), 0, 0, 0};
  }
  return std::nullopt;
}

/// What shows most of how a few of the axes are, whatever else they could be.
std::optional<Candidate> Confirmation::sensitive(int turn) {
  constexpr int shares = 6;
  const Hypothesis base = evidence_.space().simplest();
  std::vector<Hypothesis> committee{base};
  for (Hypothesis& other : single_axis_changes(oracle_.device(), base, rng_)) {
    const auto changed = std::ranges::mismatch(other.values, base.values).in1;
    if ((changed - other.values.begin()) % shares == turn % shares) {
      committee.push_back(std::move(other));
    }
  }
  auto candidate = means_.search([&](int) { return committee; }, 1);
  if (candidate) candidate->why = "confirming, " + candidate->why;
  return candidate;
}

/// A wrong answer may have fitted some hypothesis by chance: so what is left must be left
/// without any one of the probes, too, and where it is not, another probe must say the same.
std::optional<Candidate> Confirmation::cross_examining() {
  const CorrectedSpace& space = evidence_.space();
  for (const auto& correction : space.corrections()) {
    for (std::size_t i = 0; i < space.observed().size(); ++i) {
      if (correction.without.contains(i) || examined_.contains(i)) continue;
      const std::string& name = space.observed()[i].name();
      means_.doing(fmt::format("what would be left without {}?", name));
      Subset doubted = correction.without;
      doubted.insert(i);
      const VersionSpace left = space.without(doubted);
      if (left.count().remaining > correction.explanation.count().remaining) {
        auto candidate = means_.search([&](int count) { return left.draw(count, rng_); }, kRounds);
        if (candidate) {
          candidate->why += fmt::format(", for {}", name);
          return candidate;
        }
        if (!means_.may_go_on()) return std::nullopt;
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
