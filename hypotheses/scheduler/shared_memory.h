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

/// Bytes for which the shared-memory configuration is made that the kernel prefers.
template <class C, class D>
typename D::Int wanted_bytes(const C& d, const Device& device, const Demand<D>& k) {
  const typename D::Int r_w = RegisterGranularity::per_warp(d, k);
  const typename D::Int s = shared_bytes(d, k);
  return ConfigOccupancy::blocks(d, device, k, r_w, s) * s;
}
/// That configuration, bytes.
template <class C, class D>
typename D::Int preferred_config(const C& d, const Device& device, const Demand<D>& k) {
  return ConfigRounding::round(d, wanted_bytes(d, device, k), k, device.shared_configs);
}
/// The one that idle SMs take for it, bytes.
template <class C, class D>
typename D::Int target_config(const C& d, const Device& device, const Demand<D>& k,
                              const typename D::Int& preferred) {
  return ConfigTarget::config(d, preferred, wanted_bytes(d, device, k), shared_bytes(d, k), k,
                              [&](const typename D::Int& bytes) {
                                return ConfigRounding::round(d, bytes, k, device.shared_configs);
                              });
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
  Int room(const C& d, const Int& config, const Int& s, const Demand<D>& k, int most) const {
    return ite(s == 0, Int(most),
               min(Int(most), SharedRoom::limit(d, space, config, max(s, Int(1)), k)));
  }

  /// Takes a block of s bytes that fits; it becomes the last of the resident ones.
  template <class C>
  void place(const C& d, const Int& config, const Int& s, const Demand<D>& k) {
    const Int base = SharedPlacement::base(d, space, config, s, k);
    const Int wrapped = SharedPlacement::wrapped(d, base, config, s);
    space.allocate(s > 0, 0, base, s - wrapped, blocks);
    space.allocate(wrapped > 0, 0, Int(0), wrapped, blocks);
    ++blocks;
  }

  /// The last of the resident blocks comes ahead of so many others.
  void move_last(int ahead_of) { space.move_last(blocks - 1, ahead_of); }

  void release(int position) {
    space.release(position);
    --blocks;
  }
};

}  // namespace cuvier
