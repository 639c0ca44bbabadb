#include "solver/infer/probe_stock.h"

#include <algorithm>
#include <utility>

namespace cuvier {

ProbeStock::ProbeStock(std::vector<Drawn> drawn) : drawn_(std::move(drawn)) {
  for (const Drawn& each : drawn_) {
    for (const std::size_t pair : each.pairs) {
      shown_by_.resize(std::max(shown_by_.size(), pair + 1));
      ++shown_by_[pair];
    }
  }
}

std::optional<Probe> ProbeStock::take(const Coverage& coverage) {
  double most = 0;
  auto best = drawn_.end();
  for (auto each = drawn_.begin(); each != drawn_.end(); ++each) {
    std::erase_if(each->pairs, [&](std::size_t pair) { return coverage.was_seen(pair); });
    double rarity = 0;
    for (const std::size_t pair : each->pairs) rarity += 1.0 / shown_by_[pair];
    if (rarity <= most) continue;
    most = rarity;
    best = each;
  }
  if (best == drawn_.end()) return std::nullopt;
  Probe probe = std::move(best->probe);
  drawn_.erase(best);
  return probe;
}

}  // namespace cuvier
