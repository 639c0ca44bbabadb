#pragma once

#include <cstdint>
#include <numeric>

#include "hypotheses/shared_memory.h"
#include "hypotheses/warp_file.h"
#include "probes/probe.h"

namespace cuvier {

// What the scheduler asks of one SM, as functions over a value domain. Each names
// the axes that it reads, so that a solver can evaluate it once for each
// combination of their values (Reading::apply) instead of tracing its insides.
// `id` tells functions of one type apart (the kernel's index, a position).

/// What the kernel asks for in the domain; a solver may leave it open.
template <class D>
Demand<D> demand(const Kernel& k) {
  return {k.warps(), k.registers, k.shared, k.warps()};
}

struct OnKernel {
  const Device* device;
  const Kernel* kernel;
  int id;
};

/// The axes that shape a WarpFile, and those that shape a SharedMemory.
using WarpFileAxes = AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout,
                              PointerSkip, PointerReset, RoomWarps>;
using SharedMemoryAxes =
    AxisList<RegisterGranularity, ConfigOccupancy, ConfigRounding, SharedGranularity,
             RuntimeShared, ConfigScope, ConfigGate, SharedPlacement, SharedRoom>;

using WarpAxes = AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout>;

struct FitsWarps : OnKernel {
  using Axes = WarpAxes;
  template <class D>
  typename D::Bool operator()(const D& d, const WarpFile<D>& file) const {
    return file.fits(d, *device, demand<D>(*kernel));
  }
};

struct RoomForWarps : OnKernel {
  using Axes =
      AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout, RoomWarps>;
  template <class D>
  typename D::Int operator()(const D& d, const WarpFile<D>& file) const {
    return file.room(d, *device, demand<D>(*kernel));
  }
};

struct PlaceWarps : OnKernel {
  using Axes =
      AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout, PointerSkip>;
  template <class D>
  WarpFile<D> operator()(const D& d, WarpFile<D> file) const {
    file.place(d, *device, demand<D>(*kernel));
    return file;
  }
};

struct ReleaseWarps {
  using Axes = AxisList<PointerReset>;
  int id;  ///< position among the SM's residents
  template <class D>
  WarpFile<D> operator()(const D& d, WarpFile<D> file) const {
    file.release(d, id);
    return file;
  }
};

struct IdleDeviceWarps {
  using Axes = AxisList<PointerReset>;
  int id = 0;
  template <class D>
  WarpFile<D> operator()(const D& d, WarpFile<D> file) const {
    file.device_idle(d);
    return file;
  }
};

/// What an opening leaves of an SM, by the last block that it saw there.
struct AdoptWarps {
  using Axes = AxisList<WarpPlacement, PointerSkip, PointerReset>;
  int id;  ///< kSubpartitions * the block's warps + the subpartition of the last of them
  template <class D, class Int = typename D::Int>
  WarpFile<D> operator()(const D& d, WarpFile<D> file) const {
    file.adopt(d, Int(id / kSubpartitions), Int(id % kSubpartitions));
    return file;
  }
};

struct SharedBytes : OnKernel {
  using Axes = AxisList<SharedGranularity, RuntimeShared>;
  template <class D>
  typename D::Int operator()(const D& d) const {
    return shared_bytes(d, demand<D>(*kernel));
  }
};

struct PreferredConfig : OnKernel {
  using Axes = AxisList<RegisterGranularity, ConfigOccupancy, ConfigRounding, SharedGranularity,
                        RuntimeShared>;
  template <class D>
  typename D::Int operator()(const D& d) const {
    return preferred_config(d, *device, demand<D>(*kernel));
  }
};

/// Which carve-out domains around an SM are idle, by ConfigScope.
struct IdleDomains {
  bool sm = true;
  bool tpc = true;
  bool device = true;

  bool of(ConfigScope::Value scope) const {
    switch (scope) {
      case ConfigScope::tpc: return tpc;
      case ConfigScope::sm: return sm;
      case ConfigScope::device: return device;
      case ConfigScope::none: return false;
    }
    return false;
  }
  int bits() const { return sm + 2 * tpc + 4 * device; }
};

/// The configuration under which a kernel's block would run on an SM: what the
/// first kernel on each domain since it was idle prefers, or this one if it is idle.
struct CurrentConfig {
  using Axes = AxisList<ConfigScope>;
  const Device* device;
  IdleDomains idle;
  int id;
  template <class D, class Int = typename D::Int>
  Int operator()(const D& d, const Int& own, const Int& by_sm, const Int& by_tpc,
                 const Int& by_device) const {
    return d.template choose<ConfigScope>([&](ConfigScope::Value scope) -> Int {
      if (idle.of(scope)) return own;
      switch (scope) {
        case ConfigScope::tpc: return by_tpc;
        case ConfigScope::sm: return by_sm;
        case ConfigScope::device: return by_device;
        case ConfigScope::none: return Int(device->largest_config());
      }
      return own;
    });
  }
};

/// Whether an SM's shared memory takes a block of the kernel.
struct FitsShared : OnKernel {
  using Axes = AxisList<ConfigScope, ConfigGate, SharedPlacement>;
  IdleDomains idle;
  template <class D, class Int = typename D::Int>
  typename D::Bool operator()(const D& d, const SharedMemory<D>& memory, const Int& config,
                              const Int& preferred, const Int& s) const {
    using Bool = typename D::Bool;
    const Bool accepted = d.template choose<ConfigScope>([&](ConfigScope::Value scope) -> Bool {
      if (idle.of(scope) || scope == ConfigScope::none) return Bool(true);
      return ConfigGate::accepts(d, preferred, config, demand<D>(*kernel).shared);
    });
    return accepted && memory.fits(d, config, s);
  }
};

struct RoomInShared : OnKernel {
  using Axes = AxisList<ConfigScope, SharedPlacement, SharedRoom>;
  IdleDomains idle;
  template <class D, class Int = typename D::Int>
  Int operator()(const D& d, const SharedMemory<D>& memory, const Int& config, const Int& s) const {
    const int most = device->max_blocks_per_sm;
    return d.template choose<ConfigScope>([&](ConfigScope::Value scope) -> Int {
      if (!idle.of(scope)) return memory.room(d, config, s, most);
      return ite(s == 0, Int(most), min(Int(most), config / max(s, Int(1))));
    });
  }
};

struct PlaceShared {
  using Axes = AxisList<SharedPlacement>;
  int id = 0;
  template <class D, class Int = typename D::Int>
  SharedMemory<D> operator()(const D& d, SharedMemory<D> memory, const Int& config,
                             const Int& s) const {
    memory.place(d, config, s);
    return memory;
  }
};

struct ReleaseShared {
  using Axes = AxisList<>;
  int id;
  template <class D>
  SharedMemory<D> operator()(const D&, SharedMemory<D> memory) const {
    memory.release(id);
    return memory;
  }
};

/// The largest share of a resource that an SM would have in use with one more
/// block of the kernel, over a common denominator (Selection::least_used).
struct Usage : OnKernel {
  using Axes = AxisList<RegisterGranularity>;
  int blocks;  ///< resident on the SM
  int warps;   ///< resident on the SM
  int unit;    ///< common_denominator of the device

  /// A number of which each of an SM's capacities is a divisor.
  static int common_denominator(const Device& device) {
    return static_cast<int>(
        std::lcm(std::lcm(device.max_blocks_per_sm, device.max_warps_per_sm),
                 std::lcm(std::int64_t{device.registers_per_sm},
                          std::int64_t{std::max(1, device.largest_config())})));
  }

  template <class D, class Int = typename D::Int>
  Int operator()(const D& d, const WarpFile<D>& file, const SharedMemory<D>& memory,
                 const Int& s) const {
    const Demand<D> k = demand<D>(*kernel);
    const Int registers = sum<D>(file.used_registers) +
                          RegisterGranularity::per_warp(d, k.registers) * k.warps;
    const auto share = [&](const Int& used, int capacity) -> Int {
      return used * (unit / capacity);
    };
    return max(max(share(Int(blocks + 1), device->max_blocks_per_sm),
                   share(k.warps + warps, device->max_warps_per_sm)),
               max(share(registers, device->registers_per_sm),
                   share(memory.space.total() + s, std::max(1, device->largest_config()))));
  }
};

struct Both {
  using Axes = AxisList<>;
  int id = 0;
  template <class D, class Bool = typename D::Bool>
  Bool operator()(const D&, const Bool& a, const Bool& b) const {
    return a && b;
  }
};

struct Either {
  using Axes = AxisList<>;
  int id = 0;
  template <class D, class Bool = typename D::Bool>
  Bool operator()(const D&, const Bool& a, const Bool& b) const {
    return a || b;
  }
};

/// The key of a most-room choice: minus the room, which the free block slots bound.
struct LeastRoomKey {
  using Axes = AxisList<>;
  int id;  ///< free block slots
  template <class D, class Int = typename D::Int>
  Int operator()(const D&, const Int& by_warps, const Int& by_shared) const {
    return Int(0) - min(Int(id), min(by_warps, by_shared));
  }
};

/// a + b where b's SM is eligible.
struct AddIf {
  using Axes = AxisList<>;
  int id = 0;
  template <class D, class Int = typename D::Int>
  Int operator()(const D&, const Int& a, const typename D::Bool& eligible, const Int& b) const {
    return a + ite(eligible, b, Int(0));
  }
};

/// Whether an eligible option's key beats `key`: is less, equal, or either (`id`).
struct Beats {
  using Axes = AxisList<>;
  enum { less, equal, at_most };
  int id;
  template <class D, class Int = typename D::Int>
  typename D::Bool operator()(const D&, const typename D::Bool& eligible, const Int& other,
                              const Int& key) const {
    if (id == less) return eligible && other < key;
    if (id == equal) return eligible && other == key;
    return eligible && other <= key;
  }
};

struct Negate {
  using Axes = AxisList<>;
  int id = 0;
  template <class D, class Int = typename D::Int>
  Int operator()(const D&, const Int& a) const {
    return Int(0) - a;
  }
};

}  // namespace cuvier
