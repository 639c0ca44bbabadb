#pragma once

#include "hypotheses/axis.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which SMs of its GPC a cluster gets, of those on which its blocks fit.
struct ClusterSms {
  enum Value : int { ascending, tpc_interleaved, fewest_blocks };
  static constexpr AxisValue values[] = {
      {.name = "ascending", .meaning = "the first in ascending order", .formula = "0"},
      {.name = "tpc_interleaved",
       .meaning = "the first SM of every TPC, then the second",
       .needs = Needs::clusters,
       .formula = "(place_in_tpc, tpc)"},
      {.name = "fewest_blocks",
       .meaning = "those with the fewest resident blocks, ties in ascending order",
       .needs = Needs::clusters,
       .formula = "blocks"},
  };
  // Places among the names.
  static constexpr int blocks = 4;
  static constexpr int warps = 5;
  static constexpr int tpc_blocks = 6;
  static constexpr int cluster = 9;
  static constexpr std::uint32_t changing =
      1u << blocks | 1u << warps | 1u << tpc_blocks | 1u << cluster;
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
  static constexpr AxisInfo info{Part::clusters,
                                 "cluster_sms",
                                 "which SMs of its GPC a cluster gets",
                                 "of the SMs of its GPC, a cluster gets",
                                 values,
                                 {},
                                 &formula};
};
static_assert(ClusterSms::names[ClusterSms::cluster].name == "cluster");

}  // namespace cuvier
