#pragma once

#include "hypotheses/axes/cluster_gpc.h"
#include "hypotheses/axes/group_selection.h"
#include "hypotheses/axes/register_pool.h"
#include "hypotheses/axes/selection.h"
#include "hypotheses/axes/warp_placement.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Where room decides: axes that only shape it matter nowhere else.
struct RoomDecides {
  static constexpr AxisLiteral among_sms[] = {
      {"selection", one_of(Selection::most_room, Selection::paired)}};
  static constexpr AxisLiteral among_groups[] = {
      {"hierarchy", one_of(Hierarchy::tpc, Hierarchy::gpc)},
      {"group_selection", one_of(GroupSelection::most_room)}};
  static constexpr AxisLiteral among_clusters[] = {
      {"cluster_gpc", one_of(ClusterGpc::pass_by_pass), /*no_formula=*/true}};
};

/// How many more blocks the warps and registers of an SM leave room for.
struct RoomWarps {
  enum Value : int { strict_blocks, strict_warps, pooled_blocks, balanced_blocks };
  static constexpr AxisValue values[] = {
      {"strict_blocks", "whole blocks until the scarcest subpartition is full",
       "min(strict, pool) / w"},
      {"strict_warps",
       "warps until then, not blocks (as Algorithm 1 prints, by a slip of the paper's)",
       "min(strict, pool)"},
      {"pooled_blocks", "all free warps over the warps of a block", "min(free, pool) / w"},
      {"balanced_blocks", "four times the scarcest subpartition over the warps of a block",
       "min(4 * scarcest, pool) / w"},
  };
  static constexpr FormulaName names[] = {
      asked::warps,
      {"free", "warps that the subpartitions have room for, together", 0, kMostOfAnSm},
      {"scarcest", "warps that the fullest of them has room for", 0, kMostOfAnSm},
      {"strict", "warps, one subpartition after another from the pointer on, until one is full", 0,
       4 * kMostOfAnSm},
      {"pool", "warps that the SM's registers suffice for, where they are one pool; else as free",
       0, kMostFile / 32},
      asked::registers,
      asked::bytes,
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number, "the room, in blocks", 0,
                                       4 * kMostOfAnSm};
  static constexpr std::span<const AxisLiteral> matters[] = {
      RoomDecides::among_sms, RoomDecides::among_groups, RoomDecides::among_clusters};
  static constexpr AxisTitle title{Part::warps, "room_warps",
                                   "how warps and registers bound an SM's room",
                                   "by warps and registers, an SM's room is"};

  /// limit_w of scheduler.md section 6; sm_warps: warps' worth of registers of the whole SM.
  template <class C, class D>
  static typename D::Int limit(const C& d, const PerSubpartition<D>& capacity,
                               const typename D::Int& p, const Demand<D>& k,
                               const typename D::Int& sm_warps) {
    using Int = typename D::Int;
    const Int& w = k.warps;
    const Int scarcest = min(min(capacity[0], capacity[1]), min(capacity[2], capacity[3]));
    Int offset = 0;
    for (int j = kSubpartitions - 1; j >= 0; --j) {
      offset = ite(at<D>(capacity, (p + j) % kSubpartitions) == scarcest, Int(j), offset);
    }
    const Int strict = scarcest * kSubpartitions + offset;
    const auto by_pool = [&](const Int& of_subpartitions, const auto& of_sm) {
      return d.template choose<RegisterPool>([&](RegisterPool::Value pool) -> Int {
        return pool == RegisterPool::per_sm ? of_sm() : of_subpartitions;
      });
    };
    const auto pool_bound = [&](const Int& unbounded, const Int& bound) {
      return by_pool(unbounded, [&] { return min(unbounded, bound); });
    };
    const Int free = sum<D>(capacity);
    return d.template choose<RoomWarps>([&](Value v) -> Int {
      switch (v) {
        case strict_blocks:
          return pool_bound(strict / w, sm_warps / w);
        case strict_warps:
          return pool_bound(strict, sm_warps);
        case pooled_blocks:
          return pool_bound(free / w, sm_warps / w);
        case balanced_blocks:
          return pool_bound(scarcest * kSubpartitions / w, sm_warps / w);
      }
      return number_by_formula<RoomWarps, D>(
          v, {w, free, scarcest, strict, by_pool(free, [&] { return sm_warps; }), k.registers,
              k.shared});
    });
  }
};

}  // namespace cuvier
