#include "solver/evidence/corrected_space.h"

#include <algorithm>

#include "solver/cancellation/task.h"
#include "solver/conflicts/conflicts.h"
#include "solver/space/contradiction.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostCorrections = 12;

}  // namespace

CorrectedSpace::CorrectedSpace(const Device& device, const Assumptions& assumptions)
    : device_(device), assumptions_(assumptions) {
  corrections_.push_back({{}, VersionSpace(device, assumptions)});
}

bool CorrectedSpace::observe(const Recording& recording, const Task& task) {
  bool tells = false;
  for (auto& [without, space] : corrections_) tells = space.observe(recording, task) || tells;
  observed_.push_back(recording);
  if (!empty()) {
    std::erase_if(corrections_, [](const auto& c) { return c.explanation.empty(); });
  }
  return tells;
}

void CorrectedSpace::replace(std::size_t index, const Recording& recording) {
  observed_[index] = recording;
  conflicts_.clear();
  corrections_.clear();
  corrections_.push_back({{}, without({})});
}

std::vector<Recording> CorrectedSpace::counted() const {
  std::vector<Recording> counted;
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    if (!corrections_.front().without.contains(i)) counted.push_back(observed_[i]);
  }
  return counted;
}

bool CorrectedSpace::empty() const {
  return std::ranges::all_of(corrections_, [](const auto& c) { return c.explanation.empty(); });
}

VersionSpace CorrectedSpace::without(const Subset& doubted, const Task& task) const {
  return without(doubted, assumptions_, task);
}

VersionSpace CorrectedSpace::without(const Subset& doubted, const Assumptions& assumptions,
                                     const Task& task) const {
  VersionSpace space(device_, assumptions);
  for (std::size_t i = 0; i < observed_.size() && !space.empty(); ++i) {
    if (!doubted.contains(i)) space.observe(observed_[i], task);
  }
  return space;
}

bool CorrectedSpace::can_go(std::size_t index, const Subset& gone) const {
  for (std::size_t i = index + 1; i < observed_.size() && !observed_[i].fresh; ++i) {
    if (!gone.contains(i)) return false;
  }
  return true;
}

bool CorrectedSpace::contradicts(const Subset& kept, const Subset& but,
                                 const Assumptions& assumptions, const Task& task) const {
  Subset left_out;
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    if (!kept.contains(i)) left_out.insert(i);
  }
  const bool can_all_go = std::ranges::all_of(
      left_out, [&](std::size_t i) { return but.contains(i) || can_go(i, left_out); });
  if (!can_all_go) return false;
  try {
    return without(left_out, assumptions, task).empty();
  } catch (const GaveUp&) {
    return false;
  }
}

Subset CorrectedSpace::contradicted(const Subset& but, const Assumptions& assumptions,
                                    const Task& task) const {
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
  Subset clashing;
  for (std::size_t p = 0; p < parts.size(); ++p) clashing.insert(p);
  try {
    clashing = contradiction(device_, assumptions, sessions, task).value_or(clashing);
  } catch (const GaveUp&) {
  }
  Subset all;
  for (const std::size_t p : clashing) all.merge(parts[p].indices);
  return all;
}

Subset CorrectedSpace::conflict(const Subset& but, const Task& task) const {
  const auto conflict_under = [&](const Assumptions& assumptions) {
    return minimal_conflict(contradicted(but, assumptions, task), [&](const Subset& kept) {
      return contradicts(kept, but, assumptions, task);
    });
  };
  // Last resorts take long to refute. So they are asked once, of a conflict of all others: it is
  // minimal whatever is assumed beside these.
  Subset conflict;
  for (const Assumptions& assumptions :
       {assumptions_.without_last_resorts(), assumptions_.quick_to_refute(), assumptions_}) {
    if (conflict.empty() || !contradicts(conflict, but, assumptions, task)) {
      conflict = conflict_under(assumptions);
    }
  }
  return conflict;
}

bool CorrectedSpace::correct_further(const std::function<bool(const Subset&)>& permitted) {
  const auto explain = [&](const Subset& doubted) -> std::optional<VersionSpace> {
    VersionSpace space = without(doubted);
    if (space.empty()) return std::nullopt;
    return space;
  };
  const CorrectionLimits limits{.size = corrections_.front().without.size() + 1,
                                .most = kMostCorrections};
  auto corrections = smallest_corrections(
      conflicts_, limits, explain, [&](const Subset& doubted) { return conflict(doubted); },
      permitted);
  if (corrections.empty()) return false;
  corrections_ = std::move(corrections);
  return true;
}

HypothesisCount CorrectedSpace::count() const {
  HypothesisCount count = corrections_.front().explanation.count();
  for (std::size_t i = 1; i < corrections_.size(); ++i) {
    count.remaining += corrections_[i].explanation.count().remaining;
  }
  return count;
}

SurvivingValues CorrectedSpace::surviving() const {
  SurvivingValues all = corrections_.front().explanation.surviving();
  for (std::size_t i = 1; i < corrections_.size(); ++i) {
    const SurvivingValues more = corrections_[i].explanation.surviving();
    for (int axis = 0; axis < kAxes; ++axis) {
      std::vector<int> both;
      std::ranges::set_union(all[axis], more[axis], std::back_inserter(both));
      all[axis] = std::move(both);
    }
  }
  return all;
}

std::array<bool, kAxes> CorrectedSpace::open() const {
  if (corrections_.size() == 1) return corrections_.front().explanation.open();
  std::array<bool, kAxes> open{};
  const SurvivingValues values = surviving();
  for (int axis = 0; axis < kAxes; ++axis) open[axis] = values[axis].size() > 1;
  return open;
}

Hypothesis CorrectedSpace::simplest() const { return corrections_.front().explanation.simplest(); }

std::optional<std::vector<Hypothesis>> CorrectedSpace::members(int most) const {
  if (corrections_.size() == 1) return corrections_.front().explanation.members(most);
  std::vector<Hypothesis> all;
  std::set<Hypothesis> known;
  for (const auto& correction : corrections_) {
    const auto some = correction.explanation.members(most);
    if (!some) return std::nullopt;
    for (const Hypothesis& each : *some) {
      if (known.insert(each).second) all.push_back(each);
    }
  }
  return all;
}

std::vector<Hypothesis> CorrectedSpace::draw(int count, Rng& rng) const {
  std::vector<Hypothesis> drawn;
  const int share = std::max(2, count / static_cast<int>(corrections_.size()));
  for (const auto& correction : corrections_) {
    for (const Hypothesis& each : correction.explanation.draw(share, rng)) {
      if (std::ranges::find(drawn, each) == drawn.end()) drawn.push_back(each);
    }
  }
  return drawn;
}

}  // namespace cuvier
