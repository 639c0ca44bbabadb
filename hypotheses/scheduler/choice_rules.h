#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <tuple>

#include "hypotheses/scheduler/on_kernel.h"
#include "hypotheses/scheduler/placing_kernel.h"
#include "hypotheses/scheduler/rule.h"
#include "hypotheses/scheduler/shared_memory.h"
#include "hypotheses/scheduler/warp_file.h"
#include "probes/error.h"

namespace cuvier {

// What the choice among SMs asks of each, beside what its warps and its shared memory answer.

/// Of a formula and of what it reads.
inline std::size_t hash_of(int formula, const auto& seen) {
  std::size_t hash = formula;
  for (const int read : seen.values) hash = hash * 1'000'003 + static_cast<std::size_t>(read);
  return hash;
}

/// Whether a rule that is about no resource lets the block onto an SM.
struct Admits : OnKernel {
  using Axes = AxisList<Admission>;
  Seen<Admission, int> seen;
  bool operator==(const Admits&) const = default;
  std::size_t hash() const { return OnKernel::hash() + hash_of(0, seen); }
  int priority() const { return seen["priority"]; }

  template <class D>
  typename D::Bool operator()(const Declared<D, Axes>& d) const {
    return Admission::admits<Declared<D, Axes>, D>(d, seen.as<typename D::Int>());
  }
};

/// Whether an SM with so many blocks of clusters takes another.
struct AdmitsToCluster {
  using Axes = AxisList<ClusterLimit>;
  int blocks = 0;
  bool operator==(const AdmitsToCluster&) const = default;
  std::size_t hash() const { return static_cast<std::size_t>(blocks); }

  template <class D>
  typename D::Bool operator()(const Declared<D, Axes>& d) const {
    return ClusterLimit::admits<Declared<D, Axes>, D>(d, blocks);
  }
};

/// What SMs of which a cluster may get all are compared by, as they have room for so many more
/// blocks each: the least first. `clustered`: the most blocks of clusters on one of them.
struct ClusterKey {
  using Axes = AxisList<ClusterLimit>;
  int clustered = 0;
  bool is_busy = false;  ///< one of them
  bool operator==(const ClusterKey&) const = default;
  std::size_t hash() const { return 2 * static_cast<std::size_t>(clustered) + is_busy; }

  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>& d, const Int& room_key) const {
    return ClusterLimit::least_key<Declared<D, Axes>, D>(d, room_key, clustered) * Int(2) +
           Int(is_busy ? 1 : 0);
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

  /// A number of which each of an SM's capacities is a divisor. Throws Error where there is none
  /// that keys have room for.
  static int common_denominator(const Device& device) {
    std::int64_t common = 1;
    for (const int capacity : {device.max_blocks_per_sm, device.max_warps_per_sm,
                               device.registers_per_sm, std::max(1, device.largest_config())}) {
      common = std::lcm(common, std::int64_t{capacity});
      if (common < Formula::kFurthest) continue;
      throw Error(device.name + ": shared_configs: " + std::to_string(device.largest_config()) +
                  " bytes and the other limits of an SM have no common multiple below 2^30, so "
                  "selection=least_used and most_used cannot compare SMs; round the sizes to KiB, "
                  "or leave these two out");
    }
    return static_cast<int>(common);
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

/// A rule that reads no axis, and has no members.
struct OfNoAxis {
  using Axes = AxisList<>;
  bool operator==(const OfNoAxis&) const = default;
};

struct Both : OfNoAxis {
  template <class D, class Bool = typename D::Bool>
  Bool operator()(const Declared<D, Axes>&, const Bool& a, const Bool& b) const {
    return a && b;
  }
};

struct Either : OfNoAxis {
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

/// What a formula of the selection reads of the block's kernel; `placed` is known.
inline void see_block(Seen<Selection, int>& seen, const Kernel& of, const Device& device) {
  seen["w"] = of.warps();
  seen["registers"] = of.registers;
  seen["bytes"] = of.shared;
  seen["left"] = of.blocks - seen["placed"];
  seen["sms"] = device.sms;
  seen["priority"] = of.priority;
}

/// What of an SM a formula of the selection reads that may be open; none that it does not read.
template <class Int>
struct OpenKeys {
  Int room;
  Int held_registers;
  Int held_bytes;
};

/// What an SM's blocks hold of its registers, and of its shared memory.
struct HeldRegisters : OfNoAxis {
  template <class D>
  typename D::Int operator()(const Declared<D, Axes>&, const WarpFile<D>& file) const {
    return sum<D>(file.used_registers);
  }
};
struct HeldBytes : OfNoAxis {
  template <class D>
  typename D::Int operator()(const Declared<D, Axes>&, const SharedMemory<D>& memory) const {
    return memory.space.total();
  }
};

/// The key of a choice by the formula that is the axis's value, of what it reads: of the names at
/// these places what the reading knows, which may be open, and of the others what `seen` has.
template <class Axis, int... open>
struct KeyByFormula {
  using Axes = AxisList<>;
  typename Axis::Value value;
  Seen<Axis, int> seen;
  bool operator==(const KeyByFormula&) const = default;
  std::size_t hash() const { return hash_of(value, seen); }

  template <class D, class... Open>
  typename D::Int operator()(const Declared<D, Axes>&, const Open&... is) const {
    auto read = seen.template as<typename D::Int>();
    ((read.values[open] = is), ...);
    return evaluation_of<Axis, D>(value, read.values).key();
  }
};

/// An SM's; OpenKeys are open.
using KeyOfSm = KeyByFormula<Selection, NameOf<Selection>("room"),
                             NameOf<Selection>("held_registers"), NameOf<Selection>("held_bytes")>;
/// A group's: all.
using KeyOfGroup = KeyByFormula<GroupSelection, 0, 1, 2, 3, 4, 5, 6>;
static_assert(std::size(GroupSelection::names) == 7);
/// A GPC's for clusters: on how many of its SMs a block fits.
using KeyOfGpc = KeyByFormula<ClusterGpc, NameOf<ClusterGpc>("fitting")>;

/// a + b where b's SM is eligible.
struct AddIf : OfNoAxis {
  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>&, const Int& a, const typename D::Bool& eligible,
                 const Int& b) const {
    return a + ite(eligible, b, Int(0));
  }
};

/// The greater of a, and b where b's SM is eligible, else 0.
struct GreaterIf : OfNoAxis {
  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>&, const Int& a, const typename D::Bool& eligible,
                 const Int& b) const {
    return max(a, ite(eligible, b, Int(0)));
  }
};

/// The greater of two.
struct Greater : OfNoAxis {
  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>&, const Int& a, const Int& b) const {
    return max(a, b);
  }
};

struct IsLess : OfNoAxis {
  template <class D, class Int = typename D::Int>
  typename D::Bool operator()(const Declared<D, Axes>&, const Int& a, const Int& b) const {
    return a < b;
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

struct Negate : OfNoAxis {
  template <class D, class Int = typename D::Int>
  Int operator()(const Declared<D, Axes>&, const Int& a) const {
    return Int(0) - a;
  }
};

using ChoiceRules =
    RuleList<Admits, AdmitsToCluster, ClusterKey, Usage, LeastRoomKey, HeldRegisters, HeldBytes,
             KeyOfSm, KeyOfGroup, KeyOfGpc, AddIf, GreaterIf, Greater, IsLess, Negate, Beats>;
static_assert(are_of(ChoiceRules::Axes{}, {Part::warps, Part::admission, Part::clusters}));

}  // namespace cuvier
