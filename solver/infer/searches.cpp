#include "solver/infer/searches.h"

#include <algorithm>
#include <utility>

namespace cuvier {
namespace {

/// Two of them at random, or as many as there are.
std::vector<Hypothesis> two_of(std::vector<Hypothesis> hypotheses, Rng& rng) {
  const int last = static_cast<int>(hypotheses.size()) - 1;
  for (int i = 0; i < std::min(2, last); ++i) {
    std::swap(hypotheses[i], hypotheses[uniform(rng, i, last)]);
  }
  if (hypotheses.size() > 2) hypotheses.resize(2);
  return hypotheses;
}

}  // namespace

std::optional<Candidate> Searches::among(const Search::Draw& draw, const SearchFor& what,
                                         bool again) const {
  const Timekeeper::Doing choosing(timekeeper_, &Spent::choosing);
  Search search(oracle_.device(), draw, evidence_.space().observed(), oracle_.channels(), rng_);
  search.robust = evidence_.independent();
  search.by_chance = what.by_chance;
  search.most_placements = what.placements;
  search.exact_only = oracle_.frees_one_by_one();
  search.bring_along = [&](Simulator& member) {
    what.begins_session ? evidence_.bring_to_next_session(member) : evidence_.bring_along(member);
  };
  search.task = task_;
  return search.best(again ? evidence_.refused() : evidence_.known(), what.rounds);
}

std::optional<Candidate> Searches::between_two(const std::vector<Hypothesis>& hypotheses,
                                               const SearchFor& what) const {
  return among([&](int) { return two_of(hypotheses, rng_); }, what, true);
}

}  // namespace cuvier
