#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "solver/cancellation/task.h"
#include "uses/simulate/workload.h"

namespace cuvier {

/// An order in which a workload's jobs are launched, one right after the other, and when all have
/// ended.
struct LaunchOrder {
  std::vector<int> jobs;  ///< by index into the workload
  int unfinished = 0;     ///< jobs that never end
  double makespan_ms = 0;

  /// Whether fewer are left unfinished or, if as many are, the last ends earlier.
  bool is_better_than(const LaunchOrder& other) const;
};

struct LaunchOrderLimits {
  double most_orders = 40'320;  ///< if there are more, not all are simulated: that of 8 jobs
  int most_simulated = 40'320;  ///< by the heuristic
};

/// What came of the orders that were simulated.
struct LaunchOrders {
  double count = 0;            ///< orders that there are; which of those that are alike comes first
                               ///< does not count
  bool all_seen = false;       ///< so none is better than `best`
  bool no_swap_helps = false;  ///< if not all were seen: of two jobs in `best`
  bool left_to_chance = false;  ///< the hypothesis has more outcomes than the one simulated
  int simulated = 0;
  LaunchOrder given;        ///< as the workload has them
  LaunchOrder recommended;  ///< recommended_order
  LaunchOrder best;         ///< the given one, if none is better
  LaunchOrder worst;        ///< of those simulated
};

/// A workload as workload_from_json reads it. Throws Error too where a kernel arrives later than
/// the start.
Workload launches_from_json(const nlohmann::ordered_json& json, const Device& device,
                            const std::string& where);

/// Kernels of larger local memory first and, of those with as much, those that prefer larger
/// shared-memory configurations: what the paper recommends that Algorithm 1 is from. Kernels of one
/// stream keep their order.
std::vector<int> recommended_order(const Device& device, const Hypothesis& hypothesis,
                                   const Workload& workload);

/// Simulates every order in which kernels of one stream keep theirs, if there are few enough;
/// otherwise those that swap two kernels, from the better of the given and the recommended order
/// on, until no swap helps. Nothing arrives later than the start. Throws Error where the device's
/// facts do not suffice for the hypothesis, and Stopped where the task is to end.
LaunchOrders launch_orders(const Device& device, const Hypothesis& hypothesis,
                           const Workload& workload, const LaunchOrderLimits& limits = {},
                           const Task& task = {});

}  // namespace cuvier
