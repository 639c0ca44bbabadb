#include "solver/space/contradiction.h"

#include <algorithm>
#include <numeric>

#include "solver/space/version_space.h"

namespace cuvier {
namespace {

std::optional<std::set<std::size_t>> contradiction_in(const Device& device,
                                                      const Assumptions& assumptions,
                                                      const std::vector<const Session*>& sessions,
                                                      const std::vector<std::size_t>& order,
                                                      const Task& task) {
  VersionSpace space(device, assumptions);
  std::set<std::size_t> telling;
  for (const std::size_t s : order) {
    for (const Recording& recording : *sessions[s]) {
      if (space.empty()) return telling;
      if (space.observe(recording, task)) telling.insert(s);
    }
  }
  return space.empty() ? std::optional(telling) : std::nullopt;
}

}  // namespace

std::optional<std::set<std::size_t>> contradiction(const Device& device,
                                                   const Assumptions& assumptions,
                                                   const std::vector<const Session*>& sessions,
                                                   const Task& task) {
  std::vector<std::size_t> order(sessions.size());
  std::iota(order.begin(), order.end(), 0);
  try {
    return contradiction_in(device, assumptions, sessions, order, task);
  } catch (const GaveUp&) {
    if (order.size() < 2) throw;
  }
  std::ranges::rotate(order, order.begin() + 1);
  return contradiction_in(device, assumptions, sessions, order, task);
}

}  // namespace cuvier
