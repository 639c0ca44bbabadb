#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "hypotheses/readings/value_domain.h"

namespace cuvier {

/// Allocated intervals in one or more address spaces [0, capacity), read over the
/// value domain D: shared memory is one space; contiguous registers are one for
/// each subpartition, or one for the SM. Intervals may lie beyond a capacity that became smaller.
template <ValueDomain D>
struct AddressSpace {
  using Int = typename D::Int;
  using Bool = typename D::Bool;

  struct Interval {
    Bool used;  ///< whether it is there at all
    Int space;
    Int base;
    Int size;
    int owner;  ///< whose it is, for release

    bool operator==(const Interval&) const = default;
  };

  std::vector<Interval> intervals;  ///< of integers by their base

  bool operator==(const AddressSpace&) const = default;

  void allocate(const Bool& used, const Int& space, const Int& base, const Int& size, int owner) {
    if (!possible(used)) return;
    auto place = intervals.end();
    if constexpr (kSorted) place = std::ranges::upper_bound(intervals, base, {}, &Interval::base);
    intervals.insert(place, {used, space, base, size, owner});
  }

  /// Frees the owner's intervals; the owners after it move up by one.
  void release(int owner) {
    std::erase_if(intervals, [&](const Interval& i) { return i.owner == owner; });
    for (Interval& i : intervals) i.owner -= i.owner > owner;
  }

  /// The last owner comes ahead of so many others.
  void move_last(int last, int ahead_of) {
    for (Interval& i : intervals) {
      if (i.owner >= last - ahead_of) i.owner = i.owner == last ? last - ahead_of : i.owner + 1;
    }
  }

  /// Bytes (or registers) allocated in all spaces together.
  Int total() const {
    Int held = 0;
    for (const Interval& i : intervals) held = held + ite(i.used, i.size, Int(0));
    return held;
  }

  /// What of a capacity is not allocated.
  Int left(const Int& capacity) const { return max(capacity - total(), Int(0)); }

  Int longest_gap(const Int& space, const Int& capacity) const {
    Int longest = 0;
    for_each_gap(space, capacity,
                 [&](const Int&, const Int& length) { longest = max(longest, length); });
    return longest;
  }

  /// How many pieces of `size` the gaps hold, each piece within one gap.
  Int units(const Int& space, const Int& capacity, const Int& size) const {
    Int count = 0;
    for_each_gap(space, capacity,
                 [&](const Int&, const Int& length) { count = count + length / size; });
    return count;
  }

  /// The same of space 0 as a ring: what is free at its end and at its beginning is one gap.
  Int longest_ring_gap(const Int& capacity) const {
    Int longest = 0;
    for_each_ring_gap(capacity,
                      [&](const Int&, const Int& length) { longest = max(longest, length); });
    return longest;
  }
  Int ring_units(const Int& capacity, const Int& size) const {
    Int count = 0;
    for_each_ring_gap(capacity,
                      [&](const Int&, const Int& length) { count = count + length / size; });
    return count;
  }

  /// Where the lowest gap of at least `size` begins in that ring, given that there is one: that at
  /// its end and its beginning is the lowest.
  Int ring_fit(const Int& capacity, const Int& size) const {
    Int address = capacity;
    Int least = capacity;
    for_each_ring_gap(capacity, [&](const Int& start, const Int& length) {
      const Int place = ite(start + length > capacity, Int(-1), start);
      const Bool better = length >= size && place < least;
      address = ite(better, start, address);
      least = ite(better, place, least);
    });
    return address;
  }

  /// Lowest address of a gap of at least `size`, given that there is one.
  Int first_fit(const Int& space, const Int& capacity, const Int& size) const {
    Int lowest = capacity;
    for_each_gap(space, capacity, [&](const Int& start, const Int& length) {
      lowest = ite(length >= size, min(lowest, start), lowest);
    });
    return lowest;
  }

  /// Lowest multiple of `step` from which `size` are free; the capacity where there is none.
  Int first_multiple(const Int& space, const Int& capacity, const Int& size,
                     const Int& step) const {
    Int lowest = capacity;
    for_each_gap(space, capacity, [&](const Int& begin, const Int& length) {
      const Int start = (begin + step - 1) / step * step;
      lowest = ite(begin + length - start >= size, min(lowest, start), lowest);
    });
    return lowest;
  }

  /// Address of the shortest gap of at least `size` (the lowest of these), given that there is one.
  Int best_fit(const Int& space, const Int& capacity, const Int& size) const {
    return fit_by(0, space, capacity, size, [](const Int&, const Int& length) { return length; });
  }

  /// Address of the gap of at least `size` with the least key (the lowest of these), given that
  /// there is one; `key` of where a gap starts and how long it is. For proofs, which know nothing
  /// of gaps, `placement` stands for the key.
  Int fit_by(int /*placement*/, const Int& space, const Int& capacity, const Int& size,
             const auto& key) const {
    Int address = capacity;
    Int least = 0;
    for_each_gap(space, capacity, [&](const Int& start, const Int& length) {
      const Int own = key(start, length);
      const Bool better = length >= size &&
                          (address == capacity || own < least || (own == least && start < address));
      address = ite(better, start, address);
      least = ite(better, own, least);
    });
    return address;
  }

 private:
  static constexpr bool kSorted = std::is_same_v<Int, int>;

  void for_each_ring_gap(const Int& capacity, auto&& use) const {
    std::vector<std::pair<Int, Int>> gaps;
    for_each_gap(0, capacity,
                 [&](const Int& start, const Int& length) { gaps.emplace_back(start, length); });
    Int front = gaps.front().second;
    for (std::size_t i = 1; i < gaps.size(); ++i) {
      const auto& [start, length] = gaps[i];
      const Bool is_last = length > 0 && start + length == capacity;
      use(start, length + ite(is_last, front, Int(0)));
      front = ite(is_last, Int(0), front);
    }
    use(0, front);
  }

  /// Calls `use` with the start and the length of each free interval of a space; the length is 0
  /// where there is none after all. One begins at 0 or where an interval ends, and goes to the next
  /// interval's base.
  void for_each_gap(const Int& space, const Int& capacity, auto&& use) const {
    if constexpr (kSorted) {
      int start = 0;
      for (const Interval& i : intervals) {
        if (i.space != space) continue;
        use(start, std::max(0, std::min(i.base, capacity) - start));
        start = std::max(start, i.base + i.size);
      }
      use(start, std::max(0, capacity - start));
    } else {
      const auto gap_from = [&](const Bool& exists, const Int& start) {
        Int end = capacity;
        for (const Interval& i : intervals) {
          end = ite(i.used && i.space == space && i.base + i.size > start, min(end, i.base), end);
        }
        use(start, ite(exists, max(end - start, Int(0)), Int(0)));
      };
      gap_from(true, 0);
      for (const Interval& i : intervals) {
        gap_from(i.used && i.space == space, i.base + i.size);
      }
    }
  }
};

}  // namespace cuvier
