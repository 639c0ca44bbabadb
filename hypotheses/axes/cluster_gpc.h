#pragma once

#include <array>
#include <iterator>

#include "hypotheses/axis.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which of the GPCs that can take a whole cluster gets it.
struct ClusterGpc {
  enum Value : int { in_turn, first_fit, most_room, fewest_blocks, pass_by_pass };
  static constexpr AxisValue values[] = {
      {"in_turn", "the first behind the one that got the last cluster (cluster_cursor)", "turn"},
      {"first_fit", "the first", "0", Needs::clusters},
      {"most_room", "the one with the most SMs on which a block fits", "-fitting", Needs::clusters},
      {"fewest_blocks", "the one with the fewest resident blocks", "blocks", Needs::clusters},
      // An H100 and an H200: docs/results/hopper.md.
      {.name = "pass_by_pass",
       .meaning = "each of those with most room in turn, lone TPCs first, and takes whole TPCs",
       .needs = Needs::lone_tpcs_and_clusters,
       .last_resort = true},
  };
  static constexpr FormulaName names[] = {
      {"turn", "GPCs from the first behind the one that got the last cluster to this one", 0,
       kMostSms, lasting, said_by("cluster_cursor"), Needs::clusters},
      {"fitting", "SMs of the GPC on which a block fits", 1, kMostSms, Needs::clusters},
      {"blocks", "resident on the GPC", 0, kMostOfAGroup, Needs::clusters},
      {"sms", "SMs of the GPC", 1, kMostSms, Needs::clusters},
      {"warps", "resident on the GPC", 0, kMostOfAGroup, Needs::clusters},
      {"own", "blocks of the kernel resident on the GPC", 0, kMostOfAGroup, Needs::clusters},
      {"gpc", "the GPC; GPCs count by their lowest SM", 0, kMostSms - 1, Needs::clusters},
      {"cluster", "blocks of the cluster", 1, kMostOfAGroup, Needs::clusters},
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::key,
                                       "of the GPCs that can take the whole cluster the one with "
                                       "the smallest gets it; ties go to the first in their order"};
  static constexpr AxisTitle title{Part::clusters, "cluster_gpc", "which GPC gets a cluster",
                                   "of the GPCs with room, a cluster goes to"};

  /// Where a GPC is chosen for each cluster by itself, and then SMs there.
  static constexpr AxisLiteral one_by_one[] = {
      {"cluster_gpc", one_of(in_turn, first_fit, most_room, fewest_blocks)}};
  static constexpr std::span<const AxisLiteral> chosen[] = {one_by_one};
};

}  // namespace cuvier
