#pragma once

#include "hypotheses/axes/cluster_gpc.h"
#include "hypotheses/axis.h"

namespace cuvier {

/// The order of the GPCs, for clusters. Those that it leaves equal come by their lowest SM.
struct ClusterGpcOrder {
  enum Value : int { smallest_first, lowest_sm, largest_first };
  static constexpr AxisValue values[] = {
      {"smallest_first", "by ascending number of SMs", "sms"},
      {"lowest_sm", "by their lowest SM alone", "0", Needs::clusters},
      {"largest_first", "by descending number of SMs", "-sms", Needs::clusters},
  };
  static constexpr FormulaName names[] = {
      {"sms", "SMs of the GPC", 1, kMostSms, Needs::clusters},
      {"gpc", "the GPC; GPCs count by their lowest SM", 0, kMostSms - 1, Needs::clusters},
      {"gpcs", "GPCs of the device", 1, kMostSms, Needs::clusters},
      {"cluster", "blocks of the cluster", 1, kMostOfAGroup, Needs::clusters},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::order,
                                       "the GPC with the smallest is first; ties by lowest SM"};
  static constexpr AxisTitle title{Part::clusters, "cluster_gpc_order",
                                   "the order of the GPCs for clusters",
                                   "for clusters, the GPCs are ordered"};
  static constexpr auto& matters = ClusterGpc::chosen;
};

}  // namespace cuvier
