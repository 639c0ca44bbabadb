#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>

#include "hypotheses/scheduler/rule.h"
#include "hypotheses/scheduler/shared_memory.h"
#include "hypotheses/scheduler/warp_file.h"
#include "probes/probe.h"

namespace cuvier {

// What the scheduler asks of one SM: rules (rule.h) over a value domain. A solver can evaluate one
// once for each combination of its axes' values (Reading::apply) instead of tracing its insides.

/// What the kernel asks for in the domain; a solver may leave it open.
template <class D>
Demand<D> demand(const Kernel& k) {
  return {k.warps(), k.registers, k.shared, k.warps()};
}

/// Whether the kernels ask for the same, so that no rule tells them apart.
inline bool ask_alike(const Kernel& a, const Kernel& b) {
  return a.warps() == b.warps() && a.registers == b.registers && a.shared == b.shared;
}

/// A kernel on a device, as rules see it: what its blocks ask of an SM, and nothing else. Both must
/// outlive it, and stay where they are.
class OnKernel {
 public:
  OnKernel(const Device& device, const Kernel& kernel) : device_(&device), kernel_(&kernel) {}

  const Device& device() const { return *device_; }
  template <class D>
  Demand<D> demand() const {
    return cuvier::demand<D>(*kernel_);
  }

  bool operator==(const OnKernel&) const = default;
  std::size_t hash() const { return std::hash<const Kernel*>{}(kernel_); }

 private:
  const Device* device_;
  const Kernel* kernel_;
};

using WarpAxes = AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout>;

struct FitsWarps : OnKernel {
  using Axes = WarpAxes;
  template <class D>
  typename D::Bool operator()(const Declared<D, Axes>& d, const WarpFile<D>& file) const {
    return file.fits(d, device(), demand<D>());
  }
};

struct RoomForWarps : OnKernel {
  using Axes =
      AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout, RoomWarps>;
  template <class D>
  typename D::Int operator()(const Declared<D, Axes>& d, const WarpFile<D>& file) const {
    return file.room(d, device(), demand<D>());
  }
};

struct PlaceWarps : OnKernel {
  using Axes =
      AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout, PointerSkip>;
  template <class D>
  WarpFile<D> operator()(const Declared<D, Axes>& d, WarpFile<D> file) const {
    file.place(d, device(), demand<D>());
    return file;
  }
};

struct ReleaseWarps {
  using Axes = AxisList<PointerReset>;
  int position;  ///< among the SM's residents
  bool operator==(const ReleaseWarps&) const = default;
  std::size_t hash() const { return position; }

  template <class D>
  WarpFile<D> operator()(const Declared<D, Axes>& d, WarpFile<D> file) const {
    file.release(d, position);
    return file;
  }
};

struct IdleDeviceWarps {
  using Axes = AxisList<PointerReset>;
  bool operator==(const IdleDeviceWarps&) const = default;

  template <class D>
  WarpFile<D> operator()(const Declared<D, Axes>& d, WarpFile<D> file) const {
    file.device_idle(d);
    return file;
  }
};

/// What an opening leaves of an SM, by the last block that it saw there.
struct AdoptWarps {
  using Axes = AxisList<WarpPlacement, PointerSkip, PointerReset>;
  int warps;
  int registers;
  int shared;
  int last;  ///< the subpartition of the block's last warp
  AdoptWarps(const Kernel& of, int last_at)
      : warps(of.warps()), registers(of.registers), shared(of.shared), last(last_at) {}
  bool operator==(const AdoptWarps&) const = default;
  std::size_t hash() const { return warps * kSubpartitions + last; }

  template <class D, class Int = typename D::Int>
  WarpFile<D> operator()(const Declared<D, Axes>& d, WarpFile<D> file) const {
    file.adopt(d, Demand<D>{warps, registers, shared, warps}, Int(last));
    return file;
  }
};

struct SharedBytes : OnKernel {
  using Axes = AxisList<SharedGranularity, RuntimeShared>;
  template <class D>
  typename D::Int operator()(const Declared<D, Axes>& d) const {
    return shared_bytes(d, demand<D>());
  }
};

struct PreferredConfig : OnKernel {
  using Axes = AxisList<RegisterGranularity, ConfigOccupancy, ConfigRounding, SharedGranularity,
                        RuntimeShared>;
  template <class D>
  typename D::Int operator()(const Declared<D, Axes>& d) const {
    return preferred_config(d, device(), demand<D>());
  }
};

/// Which carve-out domains around an SM are idle, by ConfigScope.
struct IdleDomains {
  bool sm = true;
  bool tpc = true;
  bool device = true;

  bool of(ConfigScope::Value scope) const {
    switch (scope) {
      case ConfigScope::tpc:
        return tpc;
      case ConfigScope::sm:
        return sm;
      case ConfigScope::device:
        return device;
      case ConfigScope::none:
        return false;
    }
    return false;
  }
  bool operator==(const IdleDomains&) const = default;
  std::size_t hash() const { return sm + 2 * tpc + 4 * device; }
};

/// The configuration under which a kernel's block would run on an SM: what the
/// first kernel on each domain since it was idle prefers, or this one if it is idle.
struct CurrentConfig {
  using Axes = AxisList<ConfigScope>;
  const Device* device;
  IdleDomains idle;
  bool operator==(const CurrentConfig&) const = default;
  std::size_t hash() const { return idle.hash(); }

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>& d, const Int& own, const Int& by_sm, const Int& by_tpc,
                 const Int& by_device) const {
    return d.template choose<ConfigScope>([&](ConfigScope::Value scope) -> Int {
      if (idle.of(scope)) return own;
      switch (scope) {
        case ConfigScope::tpc:
          return by_tpc;
        case ConfigScope::sm:
          return by_sm;
        case ConfigScope::device:
          return by_device;
        case ConfigScope::none:
          return Int(device->largest_config());
      }
      return own;
    });
  }
};

/// Whether an SM's shared memory takes a block of the kernel.
struct FitsShared : OnKernel {
  using Axes = AxisList<ConfigScope, ConfigGate, SharedPlacement>;
  IdleDomains idle;
  bool operator==(const FitsShared&) const = default;
  std::size_t hash() const { return OnKernel::hash() + idle.hash(); }

  template <class D, class Int = typename D::Int>
  typename D::Bool operator()(const Declared<D, Axes>& d, const SharedMemory<D>& memory,
                              const Int& config, const Int& preferred, const Int& s) const {
    using Bool = typename D::Bool;
    const Bool accepted = d.template choose<ConfigScope>([&](ConfigScope::Value scope) -> Bool {
      if (idle.of(scope) || scope == ConfigScope::none) return Bool(true);
      return ConfigGate::accepts(d, preferred, config, demand<D>());
    });
    return accepted && memory.fits(d, config, s);
  }
};

struct RoomInShared : OnKernel {
  using Axes = AxisList<ConfigScope, SharedPlacement, SharedRoom>;
  IdleDomains idle;
  bool operator==(const RoomInShared&) const = default;
  std::size_t hash() const { return OnKernel::hash() + idle.hash(); }

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>& d, const SharedMemory<D>& memory, const Int& config,
                 const Int& s) const {
    const int most = device().max_blocks_per_sm;
    return d.template choose<ConfigScope>([&](ConfigScope::Value scope) -> Int {
      if (!idle.of(scope)) return memory.room(d, config, s, most);
      return ite(s == 0, Int(most), min(Int(most), config / max(s, Int(1))));
    });
  }
};

struct PlaceShared {
  using Axes = AxisList<SharedPlacement>;
  bool operator==(const PlaceShared&) const = default;

  template <class D, class Int = typename D::Int>
  SharedMemory<D> operator()(const Declared<D, Axes>& d, SharedMemory<D> memory, const Int& config,
                             const Int& s) const {
    memory.place(d, config, s);
    return memory;
  }
};

struct ReleaseShared {
  using Axes = AxisList<>;
  int position;  ///< among the SM's residents
  bool operator==(const ReleaseShared&) const = default;
  std::size_t hash() const { return position; }

  template <class D>
  SharedMemory<D> operator()(const Declared<D, Axes>&, SharedMemory<D> memory) const {
    memory.release(position);
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
  bool operator==(const Usage&) const = default;
  std::size_t hash() const { return OnKernel::hash() + 64 * blocks + warps; }

  /// A number of which each of an SM's capacities is a divisor.
  static int common_denominator(const Device& device) {
    return static_cast<int>(std::lcm(std::lcm(device.max_blocks_per_sm, device.max_warps_per_sm),
                                     std::lcm(std::int64_t{device.registers_per_sm},
                                              std::int64_t{std::max(1, device.largest_config())})));
  }

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>& d, const WarpFile<D>& file, const SharedMemory<D>& memory,
                 const Int& s) const {
    const Demand<D> k = demand<D>();
    const Int registers =
        sum<D>(file.used_registers) + RegisterGranularity::per_warp(d, k) * k.warps;
    const auto share = [&](const Int& used, int capacity) -> Int {
      return used * (unit / capacity);
    };
    return max(max(share(Int(blocks + 1), device().max_blocks_per_sm),
                   share(k.warps + warps, device().max_warps_per_sm)),
               max(share(registers, device().registers_per_sm),
                   share(memory.space.total() + s, std::max(1, device().largest_config()))));
  }
};

struct Both {
  using Axes = AxisList<>;
  bool operator==(const Both&) const = default;

  template <class D, class Bool = typename D::Bool>
  Bool operator()(const Declared<D, Axes>&, const Bool& a, const Bool& b) const {
    return a && b;
  }
};

struct Either {
  using Axes = AxisList<>;
  bool operator==(const Either&) const = default;

  template <class D, class Bool = typename D::Bool>
  Bool operator()(const Declared<D, Axes>&, const Bool& a, const Bool& b) const {
    return a || b;
  }
};

/// The key of a most-room choice: minus the room, which the free block slots bound.
struct LeastRoomKey {
  using Axes = AxisList<>;
  int free_slots;
  bool operator==(const LeastRoomKey&) const = default;
  std::size_t hash() const { return free_slots; }

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>&, const Int& by_warps, const Int& by_shared) const {
    return Int(0) - min(Int(free_slots), min(by_warps, by_shared));
  }
};

/// The key of a choice by the formula that is the axis's value, over the axis's names.
template <class Axis>
struct KeyByFormula {
  using Axes = AxisList<>;
  typename Axis::Value value;
  bool operator==(const KeyByFormula&) const = default;
  std::size_t hash() const { return static_cast<std::size_t>(value); }

  template <class D, class... Names>
  typename D::Int operator()(const Declared<D, Axes>&, const Names&... names) const {
    static_assert(sizeof...(names) == std::size(Axis::names));
    return evaluation_of<Axis, D>(value, {names...}).key();
  }
};

/// a + b where b's SM is eligible.
struct AddIf {
  using Axes = AxisList<>;
  bool operator==(const AddIf&) const = default;

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>&, const Int& a, const typename D::Bool& eligible,
                 const Int& b) const {
    return a + ite(eligible, b, Int(0));
  }
};

/// Whether an eligible option's key beats `key`.
struct Beats {
  using Axes = AxisList<>;
  enum How { less, equal, at_most };
  How how;
  bool operator==(const Beats&) const = default;
  std::size_t hash() const { return how; }

  template <class D, class Int = typename D::Int>
  typename D::Bool operator()(const Declared<D, Axes>&, const typename D::Bool& eligible,
                              const Int& other, const Int& key) const {
    if (how == less) return eligible && other < key;
    if (how == equal) return eligible && other == key;
    return eligible && other <= key;
  }
};

struct Negate {
  using Axes = AxisList<>;
  bool operator==(const Negate&) const = default;

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>&, const Int& a) const {
    return Int(0) - a;
  }
};

using WarpRules =
    RuleList<FitsWarps, RoomForWarps, PlaceWarps, ReleaseWarps, IdleDeviceWarps, AdoptWarps>;
using SharedRules = RuleList<SharedBytes, PreferredConfig, CurrentConfig, FitsShared, RoomInShared,
                             PlaceShared, ReleaseShared>;
/// What the choice compares, beside whether a block fits.
using KeyRules =
    RuleList<Usage, LeastRoomKey, KeyByFormula<Selection>, KeyByFormula<GroupSelection>,
             KeyByFormula<ClusterGpc>, AddIf, Negate, Beats>;

using SmRules = Concatenated<WarpRules, SharedRules, KeyRules>;

/// The axes that shape a WarpFile, and those that shape a SharedMemory.
using WarpFileAxes = WarpRules::Axes;
using SharedMemoryAxes = SharedRules::Axes;

// What an SM's warps are like is a matter of their axes alone, all of them; what its shared memory
// is like, of its own and those. Proofs show that SMs answer alike by these.
static_assert(
    are_of(WarpFileAxes{}, {Part::warps}) && has_all_of(WarpFileAxes{}, Part::warps),
    "the rules of the warps do not read the axes of the warps, all of them and no others");
static_assert(are_of(SharedMemoryAxes{}, {Part::warps, Part::shared_memory}) &&
                  has_all_of(SharedMemoryAxes{}, Part::shared_memory),
              "the rules of shared memory do not read its axes, all of them, or read others");
static_assert(are_of(KeyRules::Axes{}, {Part::warps}));

}  // namespace cuvier
