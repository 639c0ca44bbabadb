#include "solver/evidence/doubts.h"

#include <algorithm>

#include "solver/ending/gave_up.h"
#include "solver/space/sessions.h"

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

Doubts::Doubted Doubts::dispensable(const Doubted& but) const {
  struct Part {
    std::vector<std::size_t> indices;
    Session session;
  };
  std::vector<Part> parts;
  bool begins = true;
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    begins = begins || observed_[i].fresh;
    if (but.contains(i)) continue;
    if (begins) parts.emplace_back();
    parts.back().indices.push_back(i);
    parts.back().session.push_back(observed_[i]);
    parts.back().session.front().fresh = true;
    begins = false;
  }
  if (parts.empty()) return {};
  std::rotate(parts.begin(), parts.end() - 1, parts.end());
  std::ranges::stable_sort(parts.begin() + 1, parts.end(), {},
                           [](const Part& part) { return openness(part.session); });
  VersionSpace space(device_, assumptions_);
  Doubted rest;
  try {
    for (const Part& part : parts) {
      if (space.empty()) {
        rest.insert(part.indices.begin(), part.indices.end());
        continue;
      }
      for (const Recording& recording : part.session) {
        if (!space.empty()) space.observe(recording);
      }
    }
  } catch (const GaveUp&) {
    return {};
  }
  return space.empty() ? rest : Doubted{};
}

std::vector<std::size_t> Doubts::clash(const Doubted& but) const {
  Doubted left_out = dispensable(but);
  left_out.insert(but.begin(), but.end());
  std::vector<std::size_t> needed;
  for (std::size_t i = observed_.size(); i-- > 0;) {
    if (left_out.contains(i)) continue;
    if (can_go(i, left_out)) {
      left_out.insert(i);
      if (contradicted_without(left_out)) continue;
      left_out.erase(i);
    }
    needed.push_back(i);
  }
  std::ranges::reverse(needed);
  return needed;
}

const std::vector<std::size_t>* Doubts::known_clash_beside(const Doubted& doubted) const {
  for (const auto& known : clashes_) {
    if (std::ranges::none_of(known, [&](std::size_t i) { return doubted.contains(i); })) {
      return &known;
    }
  }
  return nullptr;
}

bool Doubts::doubt_more(const std::function<bool(const Doubted&)>& permitted) {
  const std::size_t size = alternatives_.front().doubted.size() + 1;
  std::vector<Alternative> before = std::move(alternatives_);
  alternatives_.clear();
  std::set<Doubted> tried;
  find({}, size, permitted, tried);
  if (!alternatives_.empty()) return true;
  alternatives_ = std::move(before);
  return false;
}

/// Whatever explains the rest doubts one of each clash: a tree of hitting sets.
void Doubts::find(const Doubted& doubted, std::size_t size,
                  const std::function<bool(const Doubted&)>& permitted, std::set<Doubted>& tried) {
  if (alternatives_.size() == kMostAlternatives || !tried.insert(doubted).second) return;
  if (!permitted(doubted)) return;
  const std::vector<std::size_t>* known = known_clash_beside(doubted);
  if (!known) {
    VersionSpace space = without(doubted);
    if (!space.empty()) {
      alternatives_.push_back({doubted, std::move(space)});
      return;
    }
    if (doubted.size() == size) return;
    clashes_.push_back(clash(doubted));
    known = &clashes_.back();
  }
  if (doubted.size() == size) return;
  const std::vector<std::size_t> each = *known;
  for (const std::size_t i : each) {
    Doubted more = doubted;
    more.insert(i);
    find(more, size, permitted, tried);
  }
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
