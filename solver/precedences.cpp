#include "solver/precedences.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <string>

#include "solver/paths.h"

namespace cuvier {

void Precedences::set_groups(const std::vector<std::vector<int>>& groups) {
  if (!groups_.empty()) return;
  groups_ = groups;
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    for (const int sm : groups[g]) add(sms_ + g, sm);
  }
}

bool Precedences::add(int first, int second) {
  const int nodes = std::max({first, second, static_cast<int>(after_.size()) - 1}) + 1;
  if (nodes > kMostNodes) {
    throw GaveUp("orders of more than " + std::to_string(kMostNodes) +
                 " SMs and groups are not learned");
  }
  after_.resize(nodes);
  if (first == second || after_[second][first]) return false;
  if (after_[first][second]) return true;
  // Kept transitively closed, so that a cycle is seen at once.
  auto follows = after_[second];
  follows.set(second);
  for (int node = 0; node < nodes; ++node) {
    if (node == first || after_[node][first]) after_[node] |= follows;
  }
  return true;
}

std::vector<int> Precedences::order(const std::vector<int>& preferred) const {
  const int nodes = std::max(sms_, static_cast<int>(after_.size()));
  std::vector<int> place(nodes, nodes);
  for (int i = 0; i < static_cast<int>(preferred.size()); ++i) place[preferred[i]] = i;
  // A group's node takes the place of its most preferred SM, which it precedes.
  for (int node = sms_; node < nodes; ++node) {
    for (const int sm : groups_[node - sms_]) place[node] = std::min(place[node], place[sm]);
  }

  // Boost's sort takes the vertices as they are numbered where the edges leave a choice,
  // and emits them last first: number them by falling preference.
  std::vector<int> by_preference(nodes);
  for (int node = 0; node < nodes; ++node) by_preference[node] = node;
  std::ranges::stable_sort(by_preference, {}, [&](int node) { return -place[node]; });
  std::vector<int> number(nodes);
  for (int i = 0; i < nodes; ++i) number[by_preference[i]] = i;

  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(nodes);
  for (int first = 0; first < static_cast<int>(after_.size()); ++first) {
    for (int second = 0; second < nodes; ++second) {
      if (after_[first][second]) boost::add_edge(number[first], number[second], graph);
    }
  }
  std::vector<int> last_first;
  boost::topological_sort(graph, std::back_inserter(last_first));
  std::vector<int> sequence;
  for (auto vertex = last_first.rbegin(); vertex != last_first.rend(); ++vertex) {
    sequence.push_back(by_preference[*vertex]);
  }

  std::vector<int> order;
  std::vector<bool> placed(sms_);
  for (const int node : sequence) {
    // Where a group's turn comes, the first of its own SMs stands for it.
    const auto first = std::ranges::find_if(sequence, [&](int other) {
      return node < sms_ ? other == node : std::ranges::count(groups_[node - sms_], other) > 0;
    });
    if (!placed[*first]) order.push_back(*first);
    placed[*first] = true;
  }
  return order;
}

}  // namespace cuvier
