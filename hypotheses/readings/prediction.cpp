#include "hypotheses/readings/prediction.h"

#include <algorithm>
#include <utility>

namespace cuvier {

namespace {

auto find(auto& all, int kernel) { return std::ranges::find(all, kernel, &Started::kernel); }

}  // namespace

Choice Prediction::choice_at(int kernel, int sm, int before, int in_flight) const {
  const auto started = find(started_, kernel);
  const int count = started == started_.end() ? 0 : static_cast<int>(started->sm.size());
  return {step_, kernel, sm, count + before, in_flight};
}

void Prediction::placed(int kernel, int block, int sm, const Warps& warps) {
  auto known = find(started_, kernel);
  if (known == started_.end()) {
    known = started_.emplace(known);
    known->kernel = kernel;
    // Most steps start a few blocks of it.
    constexpr int few = 32;
    known->block.reserve(few);
    known->sm.reserve(few);
  }
  Started& started = *known;
  started.block.push_back(block);
  started.sm.push_back(sm);
  started.warp_slot.push_back(state(warps).last_route);
}

Step Prediction::take_step() {
  std::ranges::sort(started_, {}, &Started::kernel);
  return {std::exchange(started_, {}), {}};
}

}  // namespace cuvier
