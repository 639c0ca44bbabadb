#include "hypotheses/grids.h"

#include <limits>

namespace cuvier {

Grids::Grids(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel)
    : alike_until_left_(Batches<Silent>::most_left_that_matter(device)),
      prediction_(device, hypothesis),
      probe_{"", {kernel}, {{0, {}}}},
      beginning_(prediction_, device) {
  beginning_.begin(probe_);
  beginning_.enqueue(0);
}

std::vector<int> Grids::sms_of(int blocks) {
  int& size = probe_.kernels[0].blocks;
  const auto alike = [&] { return beginning_.places(0) < blocks - alike_until_left_; };
  size = std::numeric_limits<int>::max();
  while (alike() && beginning_.dispatch_one()) {
  }
  size = blocks;
  Scheduler<Silent> grid = beginning_;
  grid.dispatch();
  return grid.sm_of_block(0);
}

}  // namespace cuvier
