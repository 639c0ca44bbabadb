#pragma once

#include "hypotheses/axes/room_warps.h"
#include "hypotheses/axes/shared_placement.h"
#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/scheduler/address_space.h"

namespace cuvier {

/// How many more blocks the free shared memory of a busy SM leaves room for.
struct SharedRoom {
  enum Value : int { largest_interval, every_interval, total_free };
  static constexpr AxisValue values[] = {
      {"largest_interval", "what the longest free interval holds", "longest / bytes"},
      {"every_interval", "the sum of what each free interval holds", "whole"},
      {"total_free", "all free bytes over the bytes of a block", "free / bytes"},
  };
  static constexpr FormulaName names[] = {
      {"bytes", "of a block, rounded, the runtime's among them", 1, kMostShared},
      {"free", "bytes in all", 0, kMostShared},
      {"longest", "free interval, bytes", 0, kMostShared},
      {"whole", "blocks that the free intervals hold", 0, kMostShared},
      {"config", "the configuration, bytes", 0, kMostShared},
      asked::warps,
      asked::registers,
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number, "the room, in blocks", 0,
                                       kMostShared};
  static constexpr std::uint32_t intervals =
      one_of(SharedPlacement::first_fit, SharedPlacement::best_fit, SharedPlacement::ring);
  static constexpr AxisLiteral among_sms[] = {{"shared_placement", intervals},
                                              RoomDecides::among_sms[0]};
  static constexpr AxisLiteral among_groups[] = {
      {"shared_placement", intervals}, RoomDecides::among_groups[0], RoomDecides::among_groups[1]};
  static constexpr AxisLiteral among_clusters[] = {{"shared_placement", intervals},
                                                   RoomDecides::among_clusters[0]};
  static constexpr std::span<const AxisLiteral> matters[] = {among_sms, among_groups,
                                                             among_clusters};
  static constexpr AxisTitle title{Part::shared_memory, "shared_room",
                                   "how shared memory bounds an SM's room",
                                   "by shared memory, an SM's room is"};

  /// Blocks of `bytes` > 0 that [0, capacity) can still take.
  template <class C, class D>
  static typename D::Int limit(const C& d, const AddressSpace<D>& space,
                               const typename D::Int& capacity, const typename D::Int& bytes,
                               const Demand<D>& k) {
    using Int = typename D::Int;
    const Int pooled = space.left(capacity) / bytes;
    return d.template choose<SharedPlacement>([&](SharedPlacement::Value placement) -> Int {
      if (placement == SharedPlacement::fragmented) return pooled;
      const bool is_ring = placement == SharedPlacement::ring;
      const auto longest = [&] {
        return is_ring ? space.longest_ring_gap(capacity) : space.longest_gap(0, capacity);
      };
      const auto whole = [&] {
        return is_ring ? space.ring_units(capacity, bytes) : space.units(0, capacity, bytes);
      };
      return d.template choose<SharedRoom>([&](Value v) -> Int {
        switch (v) {
          case largest_interval:
            return longest() / bytes;
          case every_interval:
            return whole();
          case total_free:
            return pooled;
        }
        return number_by_formula<SharedRoom, C>(
            v, {bytes, space.left(capacity), longest(), whole(), capacity, k.warps, k.registers});
      });
    });
  }
};

}  // namespace cuvier
