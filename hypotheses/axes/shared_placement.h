#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/scheduler/address_space.h"

namespace cuvier {

/// Where in an SM's shared memory a block goes.
struct SharedPlacement {
  enum Value : int { first_fit, best_fit, fragmented, ring };
  static constexpr AxisValue values[] = {
      {"first_fit", "the free interval of the lowest address that suffices", "start"},
      {"best_fit", "the smallest free interval that suffices", "length"},
      {"fragmented", "any free bytes, in one piece or not"},
      // An H100 and an H200: docs/results/hopper.md.
      {.name = "ring",
       .meaning = "the lowest free interval that suffices; what is free at the end and at the "
                  "beginning is one, the lowest",
       .needs = Needs::lone_tpcs,
       .last_resort = true},
  };
  static constexpr FormulaName names[] = {
      {"start", "where the free interval begins", 0, kMostShared},
      {"length", "of the free interval, bytes", 0, kMostShared},
      {"bytes", "of the block, rounded, the runtime's among them", 0, kMostShared},
      {"config", "the configuration, bytes", 0, kMostShared},
      asked::warps,
      asked::registers,
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::key,
                                       "the free interval with the smallest, of those that "
                                       "suffice, gets the block at its beginning; ties go to the "
                                       "lowest address"};
  static constexpr AxisTitle title{Part::shared_memory, "shared_placement",
                                   "where in shared memory a block goes",
                                   "in shared memory, a block gets"};

  /// Whether `bytes` fit into [0, capacity).
  template <class C, class D>
  static typename D::Bool fits(const C& d, const AddressSpace<D>& space,
                               const typename D::Int& capacity, const typename D::Int& bytes) {
    return d.template choose<SharedPlacement>([&](Value v) -> typename D::Bool {
      if (v == fragmented) return space.left(capacity) >= bytes;
      if (v == ring) return space.longest_ring_gap(capacity) >= bytes;
      return space.longest_gap(0, capacity) >= bytes;
    });
  }

  /// The address of a block of `bytes` that fits. Fragmented blocks have none: they only add up.
  template <class C, class D>
  static typename D::Int base(const C& d, const AddressSpace<D>& space,
                              const typename D::Int& capacity, const typename D::Int& bytes,
                              const Demand<D>& k) {
    return d.template choose<SharedPlacement>([&](Value v) -> typename D::Int {
      if (v == first_fit) return space.first_fit(0, capacity, bytes);
      if (v == best_fit) return space.best_fit(0, capacity, bytes);
      if (v == fragmented) return typename D::Int(0);
      if (v == ring) return space.ring_fit(capacity, bytes);
      return space.fit_by(v, 0, capacity, bytes, [&](const auto& start, const auto& length) {
        return evaluation_of<SharedPlacement, D>(
                   v, {start, length, bytes, capacity, k.warps, k.registers})
            .key();
      });
    });
  }
  /// What of a block at that address is beyond the end, and therefore at the beginning.
  template <class C, class Int>
  static Int wrapped(const C& d, const Int& base, const Int& capacity, const Int& bytes) {
    return d.template choose<SharedPlacement>([&](Value v) -> Int {
      return v == ring ? ite(base < capacity, max(base + bytes - capacity, Int(0)), Int(0))
                       : Int(0);
    });
  }
};

}  // namespace cuvier
