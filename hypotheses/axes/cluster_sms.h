#pragma once

#include "hypotheses/axes/cluster_gpc.h"
#include "hypotheses/axis.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which SMs of its GPC a cluster gets, of those on which its blocks fit.
struct ClusterSms {
  enum Value : int { ascending, tpc_interleaved, fewest_blocks };
  static constexpr AxisValue values[] = {
      {"ascending", "the first in ascending order", "0"},
      {"tpc_interleaved", "the first SM of every TPC, then the second", "(place_in_tpc, tpc)",
       Needs::clusters},
      {"fewest_blocks", "those with the fewest resident blocks, ties in ascending order", "blocks",
       Needs::clusters},
  };
  static constexpr FormulaName names[] = {
      {"sm", "the SM's index", 0, kMostSms - 1, Needs::clusters},
      {"place_in_gpc", "SMs of the GPC before this one", 0, kMostSms - 1, Needs::clusters},
      {"tpc", "the SM's TPC; those of the GPC count by their lowest SM", 0, kMostSms - 1,
       Needs::clusters},
      {"place_in_tpc", "SMs of the TPC before this one", 0, kMostSms - 1, Needs::clusters},
      {"blocks", "resident on the SM, those of this cluster among them", 0, kMostOfAnSm,
       Needs::clusters},
      {"warps", "resident on the SM before the cluster", 0, kMostOfAnSm, Needs::clusters},
      {"tpc_blocks", "resident on the SM's TPC, those of this cluster among them", 0, kMostOfAGroup,
       Needs::clusters},
      {"gpc", "the GPC; GPCs count by their lowest SM", 0, kMostSms - 1, Needs::clusters},
      {"sms", "SMs of the GPC", 1, kMostSms, Needs::clusters},
      {"cluster", "blocks of the cluster", 1, kMostOfAGroup, Needs::clusters},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::order,
                                       "the SM with the smallest gets the next block of the "
                                       "cluster; ties in ascending order"};
  static constexpr AxisTitle title{Part::clusters, "cluster_sms",
                                   "which SMs of its GPC a cluster gets",
                                   "of the SMs of its GPC, a cluster gets"};
  static constexpr auto& matters = ClusterGpc::chosen;
};

}  // namespace cuvier
