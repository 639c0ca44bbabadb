#pragma once

#include "hypotheses/axis.h"
#include "hypotheses/scheduler/address_space.h"

namespace cuvier {

/// Where in an SM's shared memory a block goes.
struct SharedPlacement {
  enum Value : int { first_fit, best_fit, fragmented };
  static constexpr AxisValue values[] = {
      {"first_fit", "the free interval of the lowest address that suffices"},
      {"best_fit", "the smallest free interval that suffices"},
      {"fragmented", "any free bytes, in one piece or not"},
  };
  static constexpr AxisInfo info{Part::shared_memory, "shared_placement",
                                 "where in shared memory a block goes",
                                 "in shared memory, a block gets", values};

  /// Whether `bytes` fit into [0, capacity).
  template <class C, class D>
  static typename D::Bool fits(const C& d, const AddressSpace<D>& space,
                               const typename D::Int& capacity, const typename D::Int& bytes) {
    return d.template choose<SharedPlacement>([&](Value v) -> typename D::Bool {
      if (v == fragmented) return capacity - space.total() >= bytes;
      return space.longest_gap(0, capacity) >= bytes;
    });
  }

  /// The address of a block that fits. Fragmented blocks have none: they only add up.
  template <class C, class D>
  static typename D::Int base(const C& d, const AddressSpace<D>& space,
                              const typename D::Int& capacity, const typename D::Int& bytes) {
    return d.template choose<SharedPlacement>([&](Value v) -> typename D::Int {
      if (v == first_fit) return space.first_fit(0, capacity, bytes);
      if (v == best_fit) return space.best_fit(0, capacity, bytes);
      return typename D::Int(0);
    });
  }
};

}  // namespace cuvier
