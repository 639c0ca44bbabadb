#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// The order of the SMs that settles ties and that cursors follow.
struct TieBreak {
  enum Value {
    tpc_interleaved,
    linear,
    tpc_interleaved_odd_first,
    linear_reversed,
    gpc_major,
    gpc_smallest_first,
    gpc_round_robin,
    learned
  };
  static constexpr AxisValue values[] = {
      {"tpc_interleaved", "the first SM of every TPC, then the second: 0, 2, 4, ..., 1, 3, 5, ..."},
      {"linear", "0, 1, 2, ..."},
      {"tpc_interleaved_odd_first", "1, 3, 5, ..., 0, 2, 4, ..."},
      {"linear_reversed", "N-1, ..., 0"},
      {"gpc_major", "by GPC, then SM", Needs::gpc_map},
      {"gpc_smallest_first", "GPCs by ascending number of SMs, then index, then SM",
       Needs::gpc_map},
      {"gpc_round_robin", "the first TPC of every GPC, then the second of every GPC, ...",
       Needs::gpc_map},
      {.name = "learned",
       .meaning = "a fixed order that observations reveal; only where no named order fits",
       .last_resort = true},
  };
  static constexpr AxisInfo info{Part::choice, "tie_break", "the order that settles ties among SMs",
                                 values};
};

}  // namespace cuvier
