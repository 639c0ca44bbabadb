#pragma once

#include <optional>
#include <set>
#include <vector>

#include "probes/gpu/run_probe.h"

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
  std::vector<int> group_;  ///< of each SM
  int count_;
};

/// Where a kernel is refused that needs another shared-memory configuration than a resident one.
struct CarveOutConflict {
  int sm = 0;             ///< on which one small block is left alone
  std::set<int> refused;  ///< SMs that then take no block of a kernel that needs all shared memory
};

/// Leaves this block of a grid of one block an SM alone and asks. Nothing where the grid does not
/// lie one block to an SM.
std::optional<CarveOutConflict> carve_out_conflict(RunnerDevice& device, int block,
                                                   const Patience& patience);

/// Which SMs share a TPC, by carve-out conflicts: with one small block alone on each SM in turn,
/// that SM and its mates refuse. Empty where that shows no consistent grouping (the configuration
/// is not chosen by TPC, say).
std::vector<int> tpcs_by_carve_out(RunnerDevice& device, const Patience& patience);

}  // namespace cuvier::gpu
