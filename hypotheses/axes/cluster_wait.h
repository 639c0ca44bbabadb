#pragma once

#include "hypotheses/axes/queue.h"

namespace cuvier {

/// Whether a kernel whose next cluster must wait holds up those behind it.
struct ClusterWait {
  enum Value : int { holds, passed, passed_on_lone_tpcs };
  static constexpr AxisValue values[] = {
      {"holds", "kernels behind it wait, as behind any other"},
      {"passed", "kernels behind it are tried", "", Needs::clusters},
      // An H100 and an H200: docs/results/hopper.md.
      {.name = "passed_on_lone_tpcs",
       .meaning = "kernels behind it are tried on lone TPCs, if these are too small for it",
       .needs = Needs::lone_tpcs_and_clusters,
       .last_resort = true},
  };
  static constexpr AxisLiteral in_line[] = {{"queue", one_of(Queue::fifo)}};
  static constexpr std::span<const AxisLiteral> matters[] = {in_line};
  static constexpr AxisTitle title{Part::clusters, "cluster_wait",
                                   "whether a cluster that waits holds up others",
                                   "while a cluster waits,"};
};

}  // namespace cuvier
