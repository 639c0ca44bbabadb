#pragma once

#include <optional>
#include <vector>

#include "probes/gpu/runner_device.h"

namespace cuvier::gpu {

/// SMs that were seen to belong together, as connected components.
class SmGroups {
 public:
  explicit SmGroups(int sms);

  void join(int a, int b);
  int count() const { return count_; }

  /// The group of each SM; groups are numbered by their lowest SM.
  std::vector<int> group_of_sm() const;

 private:
  int root(int sm) const;

  std::vector<int> parent_;
  int count_;
};

/// Which SMs share a TPC, by a carve-out conflict: one block of a small configuration is left
/// alone on each SM in turn, and a kernel that needs the largest one is refused there and on
/// that SM's mates. Empty where that shows no consistent grouping (the configuration is not
/// chosen by TPC, say).
std::vector<int> tpcs_by_carve_out(RunnerDevice& device, std::chrono::microseconds quiet);

}  // namespace cuvier::gpu
