#pragma once

#include "hypotheses/axes.h"
#include "hypotheses/scheduler/address_space.h"
#include "hypotheses/scheduler/warp_file.h"

namespace cuvier {

/// Bytes of shared memory that a block takes, the runtime's included.
template <class C, class D>
typename D::Int shared_bytes(const C& d, const Demand<D>& k) {
  return SharedGranularity::bytes(d, k) + RuntimeShared::bytes(d, k);
}

/// The shared-memory configuration that the kernel prefers, bytes.
template <class C, class D>
typename D::Int preferred_config(const C& d, const Device& device, const Demand<D>& k) {
  const typename D::Int r_w = RegisterGranularity::per_warp(d, k);
  const typename D::Int s = shared_bytes(d, k);
  const typename D::Int blocks = ConfigOccupancy::blocks(d, device, k, r_w, s);
  return ConfigRounding::round(d, blocks * s, k, device.shared_configs);
}

/// The shared memory of one SM (scheduler.md sections 3, 5 and 6).
template <class D>
struct SharedMemory {
  using Int = typename D::Int;
  using Bool = typename D::Bool;

  AddressSpace<D> space;
  int blocks = 0;  ///< resident, with or without shared memory

  bool operator==(const SharedMemory&) const = default;

  /// Whether s bytes fit under a configuration of `config` bytes.
  template <class C>
  Bool fits(const C& d, const Int& config, const Int& s) const {
    return s == 0 || SharedPlacement::fits(d, space, config, s);
  }

  /// limit_s on a busy SM, at most `most`.
  template <class C>
  Int room(const C& d, const Int& config, const Int& s, int most) const {
    return ite(s == 0, Int(most),
               min(Int(most), SharedRoom::limit(d, space, config, max(s, Int(1)))));
  }

  /// Takes a block of s bytes that fits; it becomes the last of the resident ones.
  template <class C>
  void place(const C& d, const Int& config, const Int& s) {
    space.allocate(s > 0, 0, SharedPlacement::base(d, space, config, s), s, blocks);
    ++blocks;
  }

  void release(int position) {
    space.release(position);
    --blocks;
  }
};

}  // namespace cuvier
