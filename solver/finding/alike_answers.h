#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "probes/observation.h"

namespace cuvier {

/// What several candidates say of one probe: how many say the same.
class AlikeAnswers {
 public:
  void add(Observation answer) {
    const auto same = std::ranges::find(groups_, answer, &Group::first);
    if (same == groups_.end()) {
      groups_.emplace_back(std::move(answer), 1);
    } else {
      ++same->second;
    }
  }

  /// So many candidates an answer leaves, at worst.
  std::size_t most() const {
    std::size_t most = 0;
    for (const auto& [answer, size] : groups_) most = std::max(most, size);
    return most;
  }

 private:
  using Group = std::pair<Observation, std::size_t>;
  std::vector<Group> groups_;
};

}  // namespace cuvier
