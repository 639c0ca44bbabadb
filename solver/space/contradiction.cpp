#include "solver/space/contradiction.h"

#include <algorithm>
#include <numeric>

#include "solver/space/version_space.h"

namespace cuvier {

std::optional<std::set<std::size_t>> contradiction(const Device& device,
                                                   const Assumptions& assumptions,
                                                   const std::vector<const Session*>& sessions,
                                                   const Task& task) {
  std::vector<std::size_t> order(sessions.size());
  std::iota(order.begin(), order.end(), 0);
  const auto in_this_order = [&]() -> std::optional<std::set<std::size_t>> {
    VersionSpace space(device, assumptions);
    std::set<std::size_t> telling;
    for (const std::size_t s : order) {
      for (const Recording& recording : *sessions[s]) {
        if (space.empty()) return telling;
        if (space.observe(recording, task)) telling.insert(s);
      }
    }
    return space.empty() ? std::optional(telling) : std::nullopt;
  };
  try {
    return in_this_order();
  } catch (const GaveUp&) {
    if (order.size() < 2) throw;
  }
  std::ranges::rotate(order, order.begin() + 1);
  return in_this_order();
}

}  // namespace cuvier
