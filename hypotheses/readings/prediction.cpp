#include "hypotheses/readings/prediction.h"

#include <utility>

namespace cuvier {
Choice Prediction::choice_at(int kernel, int sm, int before, int in_flight) const {
  const auto started = started_.find(kernel);
  const bool any = started != started_.end();
  const int count = any ? static_cast<int>(started->second.sm.size()) : 0;
  return {step_, kernel, sm, count + before, in_flight};
}

void Prediction::placed(int kernel, int block, int sm, const Warps& warps) {
  Started& started = started_[kernel];
  started.kernel = kernel;
  started.block.push_back(block);
  started.sm.push_back(sm);
  started.warp_slot.push_back(state(warps).last_route);
}

Step Prediction::take_step() {
  Step step;
  for (auto& [kernel, started] : started_) step.started.push_back(std::move(started));
  started_.clear();
  return step;
}

}  // namespace cuvier
