#pragma once

#include "hypotheses/axes/group_selection.h"
#include "hypotheses/axes/register_pool.h"
#include "hypotheses/axes/selection.h"
#include "hypotheses/axes/warp_placement.h"

namespace cuvier {

/// Where room decides: axes that only shape it matter nowhere else.
struct RoomDecides {
  static constexpr AxisLiteral among_sms[] = {
      {"selection", one_of(Selection::most_room, Selection::paired)}};
  static constexpr AxisLiteral among_groups[] = {
      {"hierarchy", one_of(Hierarchy::tpc, Hierarchy::gpc)},
      {"group_selection", one_of(GroupSelection::most_room)}};
};

/// How many more blocks the warps and registers of an SM leave room for.
struct RoomWarps {
  enum Value { strict_blocks, strict_warps, pooled_blocks, balanced_blocks };
  static constexpr AxisValue values[] = {
      {"strict_blocks", "whole blocks until the scarcest subpartition is full"},
      {"strict_warps", "warps until then (as Algorithm 1 prints, by a slip of the paper's)"},
      {"pooled_blocks", "all free warps over the warps of a block"},
      {"balanced_blocks", "four times the scarcest subpartition over the warps of a block"},
  };
  static constexpr std::span<const AxisLiteral> matters[] = {RoomDecides::among_sms,
                                                             RoomDecides::among_groups};
  static constexpr AxisInfo info{Part::warps, "room_warps",
                                 "how warps and registers bound an SM's room", values, matters};

  /// limit_w of scheduler.md section 6; sm_warps: warps' worth of registers of the whole SM.
  template <class D>
  static typename D::Int limit(const D& d, const PerSubpartition<D>& capacity,
                               const typename D::Int& p, const typename D::Int& w,
                               const typename D::Int& sm_warps) {
    using Int = typename D::Int;
    const Int scarcest = min(min(capacity[0], capacity[1]), min(capacity[2], capacity[3]));
    Int offset = 0;
    for (int j = kSubpartitions - 1; j >= 0; --j) {
      offset = ite(at<D>(capacity, (p + j) % kSubpartitions) == scarcest, Int(j), offset);
    }
    const Int strict = scarcest * kSubpartitions + offset;
    const auto pool_bound = [&](const Int& unbounded, const Int& bound) {
      return d.template choose<RegisterPool>([&](RegisterPool::Value pool) -> Int {
        return pool == RegisterPool::per_sm ? min(unbounded, bound) : unbounded;
      });
    };
    return d.template choose<RoomWarps>([&](Value v) -> Int {
      switch (v) {
        case strict_blocks:
          return pool_bound(strict / w, sm_warps / w);
        case strict_warps:
          return pool_bound(strict, sm_warps);
        case pooled_blocks:
          return pool_bound(sum<D>(capacity) / w, sm_warps / w);
        case balanced_blocks:
          return pool_bound(scarcest * kSubpartitions / w, sm_warps / w);
      }
      return strict;
    });
  }
};

}  // namespace cuvier
