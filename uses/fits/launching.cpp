#include "uses/fits/launching.h"

#include <algorithm>
#include <iterator>

namespace cuvier {
namespace {

using Members = std::vector<int>;

/// The largest sets of which every two members go together (Bron and Kerbosch, 1973, with a pivot).
class LargestSets {
 public:
  LargestSets(int members, auto&& go_together) : goes_with_(members) {
    Members all;
    for (int one = 0; one < members; ++one) {
      all.push_back(one);
      for (int other = 0; other < members; ++other) {
        if (one != other && go_together(one, other)) goes_with_[one].push_back(other);
      }
    }
    extend({}, all, {});
  }

  std::vector<Members> found;

 private:
  Members among(const Members& members, int that_go_with) const {
    Members some;
    std::ranges::set_intersection(members, goes_with_[that_go_with], std::back_inserter(some));
    return some;
  }

  /// By some of `open`. Sets with any of `done` are found already.
  void extend(const Members& set, Members open, Members done) {
    if (open.empty() && done.empty()) found.push_back(set);
    if (open.empty()) return;
    // A largest set has the pivot, or what does not go with it.
    const Members without_pivot = [&] {
      const int pivot = *std::ranges::max_element(
          open, {}, [&](int member) { return among(open, member).size(); });
      Members some;
      std::ranges::set_difference(open, goes_with_[pivot], std::back_inserter(some));
      return some;
    }();
    for (const int member : without_pivot) {
      Members more = set;
      more.push_back(member);
      extend(more, among(open, member), among(done, member));
      std::erase(open, member);
      done.insert(std::ranges::upper_bound(done, member), member);
    }
  }

  std::vector<Members> goes_with_;  ///< ascending
};

/// All that follows where one follows from another.
void close(std::vector<std::vector<bool>>& relation) {
  const std::size_t count = relation.size();
  for (std::size_t between = 0; between < count; ++between) {
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = 0; to < count; ++to) {
        if (relation[from][between] && relation[between][to]) relation[from][to] = true;
      }
    }
  }
}

}  // namespace

Sequence::Sequence(std::size_t kernels, const std::vector<Precedence>& precedences)
    : arrives_before_(kernels, std::vector<bool>(kernels)),
      is_before_(arrives_before_),
      has_ended_before_(arrives_before_) {
  for (const Precedence& p : precedences) {
    arrives_before_[p.earlier][p.later] = true;
    if (p.ends()) is_before_[p.earlier][p.later] = true;
  }
  close(arrives_before_);
  close(is_before_);
  for (const Precedence& p : precedences) {
    if (p.once != Precedence::Once::ended) continue;
    for (std::size_t k = 0; k < kernels; ++k) {
      // What arrives behind the later one does so once the earlier one has ended.
      const bool is_behind = static_cast<int>(k) == p.later || arrives_before_[p.later][k];
      if (is_behind) has_ended_before_[p.earlier][k] = true;
    }
  }
}

bool Sequence::is_circular() const {
  for (std::size_t k = 0; k < arrives_before_.size(); ++k) {
    if (arrives_before_[k][k]) return true;
  }
  return false;
}

bool Sequence::may_hang_on(int one, int other, const std::vector<bool>& ended) const {
  std::vector<int> reached = {one};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (int next = 0; next < static_cast<int>(ended.size()); ++next) {
      if (ended[next] || !may_await(reached[i], next)) continue;
      if (next == other) return true;
      if (std::ranges::count(reached, next) == 0) reached.push_back(next);
    }
  }
  return false;
}

std::vector<std::vector<int>> Sequence::resident_at_once() const {
  const auto may_meet = [&](int one, int other) {
    return !has_ended_before_[one][other] && !has_ended_before_[other][one];
  };
  return LargestSets(static_cast<int>(arrives_before_.size()), may_meet).found;
}

std::vector<int> Sequence::staying() const {
  std::vector<int> staying;
  for (int k = 0; k < static_cast<int>(is_before_.size()); ++k) {
    if (std::ranges::count(is_before_[k], true) == 0) staying.push_back(k);
  }
  return staying;
}

}  // namespace cuvier
