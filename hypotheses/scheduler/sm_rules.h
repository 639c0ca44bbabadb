#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>

#include "hypotheses/fast/flat_index.h"
#include "hypotheses/scheduler/carve_out_domains.h"
#include "hypotheses/scheduler/choice_rules.h"
#include "hypotheses/scheduler/on_kernel.h"
#include "hypotheses/scheduler/rule.h"
#include "hypotheses/scheduler/shared_memory.h"
#include "hypotheses/scheduler/warp_file.h"
#include "probes/probe.h"

namespace cuvier {

// What the scheduler asks of one SM: rules (rule.h) over a value domain. A solver can evaluate one
// once for each combination of its axes' values (Reading::apply) instead of tracing its insides.

using WarpAxes =
    AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout, WarpLayout>;

struct FitsWarps : OnKernel {
  using Axes = WarpAxes;
  template <class D>
  typename D::Bool operator()(const Declared<D, Axes>& d, const WarpFile<D>& file) const {
    return file.fits(d, device(), demand<D>());
  }
};

struct RoomForWarps : OnKernel {
  using Axes = AxisList<RegisterGranularity, RegisterPool, RegisterLayout, RoomWarps>;
  template <class D>
  typename D::Int operator()(const Declared<D, Axes>& d, const WarpFile<D>& file) const {
    return file.room(d, device(), demand<D>());
  }
};

struct PlaceWarps : OnKernel {
  using Axes = AxisList<RegisterGranularity, WarpPlacement, RegisterPool, RegisterLayout,
                        PointerSkip, WarpLayout>;
  int ahead_of = 0;  ///< of the SM's residents, so many
  bool operator==(const PlaceWarps&) const = default;
  std::size_t hash() const { return hash_combine(OnKernel::hash(), ahead_of); }

  template <class D>
  WarpFile<D> operator()(const Declared<D, Axes>& d, WarpFile<D> file) const {
    file.place(d, device(), demand<D>());
    file.move_last(ahead_of);
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

struct ResetWarps {
  using Axes = AxisList<PointerReset>;
  PointerReset::When when;
  bool operator==(const ResetWarps&) const = default;
  std::size_t hash() const { return static_cast<std::size_t>(when); }

  template <class D>
  WarpFile<D> operator()(const Declared<D, Axes>& d, WarpFile<D> file) const {
    file.reset_pointer(d, when);
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

struct TargetConfig : OnKernel {
  using Axes = AxisList<RegisterGranularity, ConfigOccupancy, ConfigRounding, SharedGranularity,
                        RuntimeShared, ConfigTarget>;
  template <class D>
  typename D::Int operator()(const Declared<D, Axes>& d, const typename D::Int& preferred) const {
    return target_config(d, device(), demand<D>(), preferred);
  }
};

/// The configuration that a domain has with a block of the kernel; 0 where it is no domain.
struct ConfigWithBlock : OnKernel {
  using Axes = AxisList<ConfigScope, ConfigChange>;
  ConfigScope::Value domain;
  IdleDomains idle;
  bool emptied = false;  ///< the domain, in this action
  bool operator==(const ConfigWithBlock&) const = default;
  std::size_t hash() const { return OnKernel::hash() + 16 * domain + 8 * emptied + idle.hash(); }

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>& d, const Int& preferred, const Int& target,
                 const Int& current) const {
    return d.template choose<ConfigScope>([&](ConfigScope::Value scope) -> Int {
      if (scope != domain) return 0;
      return d.template choose<ConfigChange>([&](ConfigChange::Value v) -> Int {
        return ConfigChange::with_block<D>(v, preferred, target,
                                           {current, idle.of(domain), emptied, idle.device},
                                           demand<D>(), device().largest_config());
      });
    });
  }
};

/// What is remembered of the configuration of a domain that became idle in an earlier action.
struct RememberedConfig {
  using Axes = AxisList<ConfigChange>;
  bool operator==(const RememberedConfig&) const = default;

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>& d, const Int& config) const {
    return d.template choose<ConfigChange>([&](ConfigChange::Value v) -> Int {
      return ConfigChange::is_remembered(v) ? config : Int(0);
    });
  }
};

/// The configuration that an SM has, of those that the domains around it have.
struct ConfigOfSm {
  using Axes = AxisList<ConfigScope>;
  const Device* device;
  bool operator==(const ConfigOfSm&) const = default;

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>& d, const Int& by_sm, const Int& by_tpc,
                 const Int& by_device) const {
    return d.template choose<ConfigScope>([&](ConfigScope::Value scope) -> Int {
      if (scope == ConfigScope::tpc) return by_tpc;
      if (scope == ConfigScope::sm) return by_sm;
      return scope == ConfigScope::device ? by_device : Int(device->largest_config());
    });
  }
};

/// Whether an SM's shared memory takes a block of the kernel.
struct FitsShared : OnKernel {
  using Axes = AxisList<ConfigScope, ConfigGate, SharedPlacement>;
  static constexpr int kConfig = 1;  ///< of the operands, the SM's configuration
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
  static constexpr int kConfig = 1;
  IdleDomains idle;
  bool operator==(const RoomInShared&) const = default;
  std::size_t hash() const { return OnKernel::hash() + idle.hash(); }

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>& d, const SharedMemory<D>& memory, const Int& config,
                 const Int& s) const {
    const int most = device().max_blocks_per_sm;
    return d.template choose<ConfigScope>([&](ConfigScope::Value scope) -> Int {
      if (!idle.of(scope)) return memory.room(d, config, s, demand<D>(), most);
      return ite(s == 0, Int(most), min(Int(most), config / max(s, Int(1))));
    });
  }
};

struct PlaceShared : OnKernel {
  using Axes = AxisList<SharedPlacement>;
  static constexpr int kConfig = 1;
  int ahead_of = 0;  ///< of the SM's residents, so many
  bool operator==(const PlaceShared&) const = default;
  std::size_t hash() const { return hash_combine(OnKernel::hash(), ahead_of); }

  template <class D, class Int = typename D::Int>
  SharedMemory<D> operator()(const Declared<D, Axes>& d, SharedMemory<D> memory, const Int& config,
                             const Int& s) const {
    memory.place(d, config, s, demand<D>());
    memory.move_last(ahead_of);
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

using WarpRules =
    RuleList<FitsWarps, RoomForWarps, PlaceWarps, ReleaseWarps, ResetWarps, AdoptWarps>;
using SharedRules =
    RuleList<SharedBytes, PreferredConfig, TargetConfig, ConfigWithBlock, RememberedConfig,
             ConfigOfSm, FitsShared, RoomInShared, PlaceShared, ReleaseShared>;
using SmRules = decltype(WarpRules{} + SharedRules{} + ChoiceRules{});

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

}  // namespace cuvier
