#include "uses/fits/launching.h"

#include <algorithm>
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/bron_kerbosch_all_cliques.hpp>

namespace cuvier {
namespace {

/// Keeps each set that it is shown.
struct KeepSets {
  std::vector<std::vector<int>>& found;
  void clique(const auto& set, const auto& /*graph*/) {
    found.emplace_back(set.begin(), set.end());
  }
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
  const std::size_t kernels = arrives_before_.size();
  boost::adjacency_matrix<boost::undirectedS> may_meet(kernels);
  for (std::size_t one = 0; one < kernels; ++one) {
    for (std::size_t other = 0; other < one; ++other) {
      if (has_ended_before_[one][other] || has_ended_before_[other][one]) continue;
      boost::add_edge(one, other, may_meet);
    }
  }
  std::vector<std::vector<int>> found;
  boost::bron_kerbosch_all_cliques(may_meet, KeepSets{found}, /*min=*/1);
  return found;
}

std::vector<int> Sequence::staying() const {
  std::vector<int> staying;
  for (int k = 0; k < static_cast<int>(is_before_.size()); ++k) {
    if (std::ranges::count(is_before_[k], true) == 0) staying.push_back(k);
  }
  return staying;
}

}  // namespace cuvier
