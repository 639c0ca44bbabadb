#pragma once

#include <algorithm>
#include <vector>

#include "hypotheses/axes.h"
#include "hypotheses/scheduler/address_space.h"

namespace cuvier {

/// The warp slots and registers of one SM (scheduler.md sections 3, 5 and 6), by subpartition.
template <class D>
struct WarpFile {
  using Int = typename D::Int;
  using Bool = typename D::Bool;

  /// What one resident block holds.
  struct Holding {
    PerSubpartition<D> warps;
    Int registers_per_warp;

    bool operator==(const Holding&) const = default;
  };

  PerSubpartition<D> used_slots{0, 0, 0, 0};
  PerSubpartition<D> used_registers{0, 0, 0, 0};
  Int pointer{0};
  std::vector<Holding> holdings;  ///< of the resident blocks
  AddressSpace<D> registers;      ///< with contiguous registers only
  AddressSpace<D> rows;           ///< warp slots of the SM; where blocks need rows of them only
  std::vector<Int> last_route;    ///< the subpartition of each warp of the latest block

  bool operator==(const WarpFile&) const = default;

  /// Whether a block fits.
  template <class C>
  Bool fits(const C& d, const Device& device, const Demand<D>& k) const {
    const Int r_w = RegisterGranularity::per_warp(d, k);
    return WarpPlacement::fits(d, k, device.max_threads_per_block / kThreadsPerWarp, pointer,
                               subpartitions(d, device, r_w)) &&
           fits_as_a_whole(d, device, k, r_w);
  }

  /// Whether it fits, if its warps do on the subpartitions.
  template <class C>
  Bool fits_as_a_whole(const C& d, const Device& device, const Demand<D>& k, const Int& r_w) const {
    return d.template choose<RegisterPool>([&](RegisterPool::Value pool) -> Bool {
      const Bool has_row = this->has_row(d, device, k);
      if (pool == RegisterPool::per_subpartition) return has_row;
      return has_row && warps_in_registers(d, device, r_w) >= k.warps;
    });
  }

  /// limit_w: how many more blocks (or warps, as RoomWarps has it) there is room for.
  template <class C>
  Int room(const C& d, const Device& device, const Demand<D>& k) const {
    const Int r_w = RegisterGranularity::per_warp(d, k);
    return RoomWarps::limit(d, capacity(d, device, r_w), pointer, k,
                            warps_in_registers(d, device, r_w));
  }

  /// A block on its way in, warp after warp.
  struct Arrival {
    Holding holding;
    Int last = 0;  ///< the subpartition of its latest warp
  };

  /// Takes a block that fits; it becomes the last of the holdings.
  template <class C>
  void place(const C& d, const Device& device, const Demand<D>& k) {
    const Int r_w = RegisterGranularity::per_warp(d, k);
    last_route = WarpPlacement::route(d, k, pointer, subpartitions(d, device, r_w));
    Arrival arrival{{{0, 0, 0, 0}, r_w}};
    for (int i = 0; i < static_cast<int>(last_route.size()); ++i) {
      take_warp(d, device, k.warps > i, last_route[i], arrival);
    }
    take_block(d, device, k, arrival);
  }

  /// Where there is a next warp, puts it on subpartition q.
  template <class C>
  void take_warp(const C& d, const Device& device, const Bool& exists, const Int& q,
                 Arrival& arrival) {
    for (int s = 0; s < kSubpartitions; ++s) {
      arrival.holding.warps[s] = arrival.holding.warps[s] + ite(exists && q == s, Int(1), Int(0));
    }
    arrival.last = ite(exists, q, arrival.last);
    allocate_contiguous(d, device, exists, q, arrival.holding.registers_per_warp);
  }

  /// Completes a block.
  template <class C>
  void take_block(const C& d, const Device& device, const Demand<D>& k, const Arrival& arrival) {
    take_row(d, device, k);
    const Holding& holding = arrival.holding;
    for (int q = 0; q < kSubpartitions; ++q) {
      used_slots[q] = used_slots[q] + holding.warps[q];
      used_registers[q] = used_registers[q] + holding.warps[q] * holding.registers_per_warp;
    }
    holdings.push_back(holding);
    advance_pointer(d, k, arrival.last);
  }

  /// The last of the holdings comes ahead of so many others.
  void move_last(int ahead_of) {
    std::rotate(holdings.end() - 1 - ahead_of, holdings.end() - 1, holdings.end());
    const int last = static_cast<int>(holdings.size()) - 1;
    registers.move_last(last, ahead_of);
    rows.move_last(last, ahead_of);
  }

  /// Gives back what the resident block at this position of the holdings has.
  template <class C>
  void release(const C& d, int position) {
    const Holding holding = holdings[position];
    for (int q = 0; q < kSubpartitions; ++q) {
      used_slots[q] = used_slots[q] - holding.warps[q];
      used_registers[q] = used_registers[q] - holding.warps[q] * holding.registers_per_warp;
    }
    holdings.erase(holdings.begin() + position);
    registers.release(position);
    rows.release(position);
    last_route.clear();
    if (holdings.empty()) reset_pointer(d, PointerReset::When::sm_idle);
  }
  /// Where the pointer does return then. `blocks_have_left`: all that leave together;
  /// `device_idle`: nothing is resident on the whole device.
  template <class C>
  void reset_pointer(const C& d, PointerReset::When when) {
    const Int from = pointer;
    pointer = d.template choose<PointerReset>([&](PointerReset::Value v) -> Int {
      return ite(PointerReset::returns<D>(v, when, sum<D>(used_slots)), Int(0), from);
    });
  }

  /// After blocks of which nothing is known but the last: its last warp went to this
  /// subpartition. The SM, which was idle before, and the device are idle again.
  template <class C>
  void adopt(const C& d, const Demand<D>& k, const Int& last) {
    pointer = WarpPlacement::pointer_before(d, k, last);
    advance_pointer(d, k, last);
    reset_pointer(d, PointerReset::When::sm_idle);
    reset_pointer(d, PointerReset::When::blocks_have_left);
    reset_pointer(d, PointerReset::When::device_idle);
  }

  /// c_q: how many warps of r_w registers each subpartition can still take.
  template <class C>
  PerSubpartition<D> capacity(const C& d, const Device& device, const Int& r_w) const {
    PerSubpartition<D> capacity;
    for (int q = 0; q < kSubpartitions; ++q) {
      const Int slots = device.warps_per_subpartition() - used_slots[q];
      capacity[q] = d.template choose<RegisterPool>([&](RegisterPool::Value pool) -> Int {
        if (pool == RegisterPool::per_sm) return slots;
        const int file = device.registers_per_subpartition();
        return min(slots, d.template choose<RegisterLayout>([&](RegisterLayout::Value v) -> Int {
          return v == RegisterLayout::renamed ? (file - used_registers[q]) / r_w
                                              : registers.units(q, file, r_w);
        }));
      });
    }
    return capacity;
  }

  /// What they have for a block's warps, of r_w registers each.
  template <class C>
  Subpartitions<D> subpartitions(const C& d, const Device& device, const Int& r_w) const {
    Subpartitions<D> now{capacity(d, device, r_w), {}, used_registers, r_w};
    for (int q = 0; q < kSubpartitions; ++q) {
      now.slots[q] = device.warps_per_subpartition() - used_slots[q];
    }
    return now;
  }

  /// Whether there is a row of slots for the block's warps, if it needs one.
  template <class C>
  Bool has_row(const C& d, const Device& device, const Demand<D>& k) const {
    return WarpLayout::row(d, k, rows, device.max_warps_per_sm) < Int(device.max_warps_per_sm);
  }

  /// How many warps the registers of the whole SM suffice for, taken as one pool.
  template <class C>
  Int warps_in_registers(const C& d, const Device& device, const Int& r_w) const {
    return d.template choose<RegisterPool>([&](RegisterPool::Value pool) -> Int {
      if (pool == RegisterPool::per_subpartition) return Int(0);
      return d.template choose<RegisterLayout>([&](RegisterLayout::Value v) -> Int {
        return v == RegisterLayout::renamed
                   ? (device.registers_per_sm - sum<D>(used_registers)) / r_w
                   : registers.units(0, device.registers_per_sm, r_w);
      });
    });
  }

 private:
  template <class C>
  void take_row(const C& d, const Device& device, const Demand<D>& k) {
    const Int begin = WarpLayout::row(d, k, rows, device.max_warps_per_sm);
    const Bool in_row = begin >= Int(0);
    if (!possible(in_row)) return;
    rows.allocate(in_row, Int(0), begin, k.warps, static_cast<int>(holdings.size()));
  }

  template <class C>
  Int address_space(const C& d, const Int& q) const {
    return d.template choose<RegisterPool>(
        [&](RegisterPool::Value pool) -> Int { return pool == RegisterPool::per_sm ? Int(0) : q; });
  }

  template <class C>
  Int space_capacity(const C& d, const Device& device) const {
    return d.template choose<RegisterPool>([&](RegisterPool::Value pool) -> Int {
      return pool == RegisterPool::per_sm ? Int(device.registers_per_sm)
                                          : Int(device.registers_per_subpartition());
    });
  }

  template <class C>
  void allocate_contiguous(const C& d, const Device& device, const Bool& exists, const Int& q,
                           const Int& r_w) {
    const Bool contiguous = d.template choose<RegisterLayout>(
        [&](RegisterLayout::Value v) -> Bool { return v == RegisterLayout::contiguous; });
    if (!possible(contiguous && exists)) return;
    const Int space = address_space(d, q);
    registers.allocate(contiguous && exists, space,
                       registers.first_fit(space, space_capacity(d, device), r_w), r_w,
                       static_cast<int>(holdings.size()));
  }

  /// After a block whose last warp went there.
  template <class C>
  void advance_pointer(const C& d, const Demand<D>& k, const Int& last) {
    const Int unmoved = pointer;
    pointer = d.template choose<WarpPlacement>([&](WarpPlacement::Value v) -> Int {
      if (!WarpPlacement::moves_pointer(v)) return unmoved;
      const Int next = WarpPlacement::passes_over(v) ? last + 1 : unmoved + k.warps;
      return PointerSkip::advance(d, unmoved, next, k);
    });
  }
};

}  // namespace cuvier
