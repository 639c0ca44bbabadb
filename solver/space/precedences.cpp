#include "solver/space/precedences.h"

#include <algorithm>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>

#include "hypotheses/fast/flat_index.h"
#include "solver/cancellation/task.h"

namespace cuvier {
namespace {

// Whether rounds can be settled together is hard to say in general; what is observed leaves
// few of them open.
constexpr int kMostTries = 10'000;

}  // namespace

void Precedences::set_groups(const std::vector<std::vector<int>>& groups) {
  if (!groups_.empty()) return;
  groups_ = groups;
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    for (const int sm : groups[g]) add(sms_ + g, sm);
  }
}

bool Precedences::add_round(int from, int first, int second) {
  if (before_round(from, first, second)) return true;
  if (after_.empty() && open_.empty()) cut_ = from;
  const Round round{from, first, second};
  if (const auto settled = settle_round(round)) return *settled && settle_rounds();
  const auto place = std::ranges::lower_bound(open_, round);
  if (place == open_.end() || *place != round) open_.insert(place, round);
  return true;
}

/// Kept transitively closed, so that a cycle is seen at once.
bool Precedences::close(int first, int second) {
  if (first == second || known(second, first)) return false;
  if (known(first, second)) return true;
  const int last = std::max(first, second);
  if (last >= kMostNodes) {
    throw GaveUp("orders of more than " + std::to_string(kMostNodes) +
                 " SMs and groups are not learned");
  }
  if (index(last) >= std::ssize(after_)) after_.resize(index(last) + 1);
  auto follows = after_[index(second)];
  follows.set(index(second));
  for (std::size_t i = 0; i < after_.size(); ++i) {
    if (static_cast<int>(i) == index(first) || after_[i][index(first)]) after_[i] |= follows;
  }
  return true;
}

std::optional<bool> Precedences::settle_round(const Round& round) {
  const auto [from, first, second] = round;
  if (known(first, from)) return close(first, second) && close(second, from);
  if (known(second, first)) return close(from, first) && close(second, from);
  if (known(from, second)) return close(from, first) && close(first, second);
  return std::nullopt;
}

bool Precedences::settle_rounds() {
  for (std::size_t last = open_.size() + 1; last != open_.size();) {
    last = open_.size();  // what is learned may settle those that were looked at
    bool good = true;
    std::erase_if(open_, [&](const Round& round) {
      const auto settled = good ? settle_round(round) : std::nullopt;
      good = settled.value_or(good);
      return settled.has_value();
    });
    if (!good) return false;
  }
  return true;
}

bool Precedences::settle(const std::vector<std::vector<int>>& groups,
                         const std::vector<std::vector<int>>& rivals) const {
  const auto all_ordered = [&](const std::vector<int>& ids, int first_node) {
    for (const int id : ids) {
      for (const int other : ids) {
        const int node = first_node + id;
        const int other_node = first_node + other;
        if (id < other && !before(node, other_node) && !before(other_node, node)) return false;
      }
    }
    return true;
  };
  return std::ranges::all_of(rivals, [&](const auto& set) { return all_ordered(set, sms_); }) &&
         std::ranges::all_of(groups, [&](const auto& sms) { return all_ordered(sms, 0); });
}

/// By index, on the way from where the round is cut open: the start is just before the first SM, a
/// group just before its first.
std::vector<int> Precedences::places_in(const std::vector<int>& order) const {
  std::vector<int> places(nodes());
  for (int i = 0; i < sms_; ++i) places[index(order[i])] = 2 * i + 2;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    int& place = places[index(sms_ + static_cast<int>(g))] = 2 * sms_ + 1;
    for (const int sm : groups_[g]) place = std::min(place, places[index(sm)] - 1);
  }
  const int round = 2 * sms_ + 2;
  const int cut = places[index(cut_)];
  for (int& place : places) place = (place - cut + round) % round;
  return places;
}

bool Precedences::allows(const std::vector<int>& order) const {
  const std::vector<int> place = places_in(order);
  for (std::size_t first = 0; first < after_.size(); ++first) {
    for (std::size_t second = 0; second < after_.size(); ++second) {
      if (after_[first][second] && place[first] > place[second]) return false;
    }
  }
  const auto goes_before = [&](int one, int two) { return place[index(one)] < place[index(two)]; };
  return std::ranges::all_of(open_, [&](const Round& r) {
    return goes_before(r.from, r.first) + goes_before(r.first, r.second) +
               goes_before(r.second, r.from) ==
           2;
  });
}

std::optional<Precedences> Precedences::settled(const std::vector<int>& place, int& tries) const {
  if (open_.empty()) return *this;
  if (++tries > kMostTries) throw GaveUp("too many orders of the SMs to try");
  // Whichever of the three comes first settles the round.
  const auto [from, first, second] = open_.front();
  std::array<std::array<int, 3>, 3> ways{
      {{from, first, second}, {first, second, from}, {second, from, first}}};
  std::ranges::sort(ways, {}, [&](const auto& way) { return place[index(way[0])]; });
  for (const auto& way : ways) {
    Precedences tried = *this;
    if (!tried.close(way[0], way[1]) || !tried.close(way[1], way[2]) || !tried.settle_rounds()) {
      continue;
    }
    if (auto found = tried.settled(place, tries)) return found;
  }
  return std::nullopt;
}

Precedences Precedences::settled_from(const std::vector<int>& preferred) const {
  const std::vector<int> place = places_in(preferred);
  int tries = 0;
  for (const int start : preferred) {
    Precedences tried = *this;
    const bool may_be_first = cut_ == kStart || std::ranges::all_of(preferred, [&](int other) {
                                return other == start || tried.add(start, other);
                              });
    if (!may_be_first) continue;
    if (auto found = tried.settled(place, tries)) return *found;
  }
  throw std::logic_error("no order of the SMs is as learned");
}

std::size_t Precedences::hash() const {
  std::size_t hash = index(cut_);
  for (const auto& follows : after_) {
    hash = hash * 1'000'003 + std::hash<std::bitset<1 + kMostNodes>>{}(follows);
  }
  for (const auto& [from, first, second] : open_) {
    hash = hash_combine(hash_combine(hash_combine(hash, from), first), second);
  }
  return hash;
}

bool Precedences::possible() const {
  int tries = 0;
  return settled(std::vector<int>(nodes()), tries).has_value();
}

std::vector<int> Precedences::order(const std::vector<int>& preferred) const {
  const Precedences known = settled_from(preferred);
  const std::vector<int> place = places_in(preferred);

  // Boost's sort takes the vertices as they are numbered where the edges leave a choice,
  // and emits them last first: number them by falling preference.
  std::vector<int> by_preference(nodes());
  std::iota(by_preference.begin(), by_preference.end(), kStart);
  std::ranges::stable_sort(by_preference, {}, [&](int node) { return -place[index(node)]; });
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(nodes());
  for (int i = 0; i < nodes(); ++i) {
    for (int j = 0; j < nodes(); ++j) {
      if (known.known(by_preference[i], by_preference[j])) boost::add_edge(i, j, graph);
    }
  }
  std::vector<int> last_first;
  boost::topological_sort(graph, std::back_inserter(last_first));
  std::vector<int> sequence;
  for (auto vertex = last_first.rbegin(); vertex != last_first.rend(); ++vertex) {
    sequence.push_back(by_preference[*vertex]);
  }
  std::ranges::rotate(sequence, std::ranges::find(sequence, kStart));

  std::vector<int> order;
  std::vector<bool> placed(sms_);
  for (const int node : sequence) {
    if (node == kStart) continue;
    // Where a group's turn comes, the first of its own SMs stands for it. (SMs of different
    // groups are not compared where groups are.)
    const auto first = std::ranges::find_if(sequence, [&](int other) {
      return node < sms_ ? other == node : std::ranges::count(groups_[node - sms_], other) > 0;
    });
    if (!placed[*first]) order.push_back(*first);
    placed[*first] = true;
  }
  return order;
}

}  // namespace cuvier
