#include "solver/evidence/doubts.h"

#include <algorithm>

#include "solver/conflicts/corrections.h"
#include "solver/conflicts/minimal_conflict.h"
#include "solver/ending/gave_up.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostAlternatives = 12;

}  // namespace

Doubts::Doubts(const Device& device, const Assumptions& assumptions)
    : device_(device), assumptions_(assumptions) {
  alternatives_.push_back({{}, VersionSpace(device, assumptions)});
}

void Doubts::observe(const Recording& recording) {
  for (Alternative& alternative : alternatives_) alternative.space.observe(recording);
  observed_.push_back(recording);
  if (!empty()) {
    std::erase_if(alternatives_, [](const Alternative& a) { return a.space.empty(); });
  }
}

void Doubts::replace(std::size_t index, const Recording& recording) {
  observed_[index] = recording;
  clashes_.clear();
  alternatives_.clear();
  alternatives_.push_back({{}, without({})});
}

bool Doubts::empty() const {
  return std::ranges::all_of(alternatives_, [](const Alternative& a) { return a.space.empty(); });
}

VersionSpace Doubts::without(const Doubted& doubted) const {
  VersionSpace space(device_, assumptions_);
  for (std::size_t i = 0; i < observed_.size() && !space.empty(); ++i) {
    if (!doubted.contains(i)) space.observe(observed_[i]);
  }
  return space;
}

bool Doubts::can_go(std::size_t index, const Doubted& gone) const {
  for (std::size_t i = index + 1; i < observed_.size() && !observed_[i].fresh; ++i) {
    if (!gone.contains(i)) return false;
  }
  return true;
}

bool Doubts::contradicted_without(const Doubted& doubted) const {
  try {
    return without(doubted).empty();
  } catch (const GaveUp&) {
    return false;
  }
}

Subset Doubts::contradicted(const Doubted& but) const {
  struct Part {
    Subset indices;
    Session session;
  };
  std::vector<Part> parts;
  bool begins = true;
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    begins = begins || observed_[i].fresh;
    if (but.contains(i)) continue;
    if (begins) parts.emplace_back();
    parts.back().indices.insert(i);
    parts.back().session.push_back(observed_[i]);
    parts.back().session.front().fresh = true;
    begins = false;
  }
  if (parts.empty()) return {};
  std::rotate(parts.begin(), parts.end() - 1, parts.end());
  std::ranges::stable_sort(parts.begin() + 1, parts.end(), {},
                           [](const Part& part) { return openness(part.session); });
  std::vector<const Session*> sessions;
  for (const Part& part : parts) sessions.push_back(&part.session);
  std::size_t enough = parts.size();
  try {
    enough = contradicted_after(device_, assumptions_, sessions).value_or(enough);
  } catch (const GaveUp&) {
  }
  Subset all;
  for (std::size_t p = 0; p < enough; ++p) all.merge(parts[p].indices);
  return all;
}

Subset Doubts::clash(const Doubted& but) const {
  return minimal_conflict(contradicted(but), [&](const Subset& kept) {
    Doubted left_out;
    for (std::size_t i = 0; i < observed_.size(); ++i) {
      if (!kept.contains(i)) left_out.insert(i);
    }
    const bool can_all_go = std::ranges::all_of(
        left_out, [&](std::size_t i) { return but.contains(i) || can_go(i, left_out); });
    return can_all_go && contradicted_without(left_out);
  });
}

bool Doubts::doubt_more(const std::function<bool(const Doubted&)>& permitted) {
  const auto explain = [&](const Doubted& doubted) -> std::optional<VersionSpace> {
    VersionSpace space = without(doubted);
    if (space.empty()) return std::nullopt;
    return space;
  };
  const CorrectionLimits limits{.size = alternatives_.front().doubted.size() + 1,
                                .most = kMostAlternatives};
  auto corrections = smallest_corrections(
      clashes_, limits, explain, [&](const Doubted& doubted) { return clash(doubted); }, permitted);
  if (corrections.empty()) return false;
  alternatives_.clear();
  for (auto& [doubted, space] : corrections) {
    alternatives_.push_back({std::move(doubted), std::move(space)});
  }
  return true;
}

HypothesisCount Doubts::count() const {
  HypothesisCount count = alternatives_.front().space.count();
  for (std::size_t i = 1; i < alternatives_.size(); ++i) {
    count.remaining += alternatives_[i].space.count().remaining;
  }
  return count;
}

SurvivingValues Doubts::surviving() const {
  SurvivingValues all = alternatives_.front().space.surviving();
  for (std::size_t i = 1; i < alternatives_.size(); ++i) {
    const SurvivingValues more = alternatives_[i].space.surviving();
    for (int axis = 0; axis < kAxes; ++axis) {
      std::vector<int> both;
      std::ranges::set_union(all[axis], more[axis], std::back_inserter(both));
      all[axis] = std::move(both);
    }
  }
  return all;
}

std::array<bool, kAxes> Doubts::open() const {
  if (alternatives_.size() == 1) return alternatives_.front().space.open();
  std::array<bool, kAxes> open{};
  const SurvivingValues values = surviving();
  for (int axis = 0; axis < kAxes; ++axis) open[axis] = values[axis].size() > 1;
  return open;
}

Hypothesis Doubts::simplest() const { return alternatives_.front().space.simplest(); }

std::optional<std::vector<Hypothesis>> Doubts::members(int most) const {
  if (alternatives_.size() == 1) return alternatives_.front().space.members(most);
  std::vector<Hypothesis> all;
  std::set<std::pair<decltype(Hypothesis::values), std::vector<int>>> known;
  for (const Alternative& alternative : alternatives_) {
    const auto some = alternative.space.members(most);
    if (!some) return std::nullopt;
    for (const Hypothesis& each : *some) {
      if (known.insert({each.values, each.order}).second) all.push_back(each);
    }
  }
  return all;
}

std::vector<Hypothesis> Doubts::draw(int count, Rng& rng) const {
  std::vector<Hypothesis> drawn;
  const int share = std::max(2, count / static_cast<int>(alternatives_.size()));
  for (const Alternative& alternative : alternatives_) {
    for (const Hypothesis& each : alternative.space.draw(share, rng)) {
      if (std::ranges::find(drawn, each) == drawn.end()) drawn.push_back(each);
    }
  }
  return drawn;
}

}  // namespace cuvier
