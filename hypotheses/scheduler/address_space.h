#pragma once

#include <algorithm>
#include <type_traits>
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

  std::vector<Interval> intervals;

  bool operator==(const AddressSpace&) const = default;

  void allocate(const Bool& used, const Int& space, const Int& base, const Int& size, int owner) {
    if (possible(used)) intervals.push_back({used, space, base, size, owner});
  }

  /// Frees the owner's intervals; the owners after it move up by one.
  void release(int owner) {
    std::erase_if(intervals, [&](const Interval& i) { return i.owner == owner; });
    for (Interval& i : intervals) i.owner -= i.owner > owner;
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
    for (const Gap& gap : gaps(space, capacity)) longest = max(longest, gap.length);
    return longest;
  }

  /// How many pieces of `size` the gaps hold, each piece within one gap.
  Int units(const Int& space, const Int& capacity, const Int& size) const {
    Int count = 0;
    for (const Gap& gap : gaps(space, capacity)) count = count + gap.length / size;
    return count;
  }

  /// Lowest address of a gap of at least `size`, given that there is one.
  Int first_fit(const Int& space, const Int& capacity, const Int& size) const {
    Int lowest = capacity;
    for (const Gap& gap : gaps(space, capacity)) {
      lowest = ite(gap.length >= size, min(lowest, gap.start), lowest);
    }
    return lowest;
  }

  /// Lowest multiple of `step` from which `size` are free; the capacity where there is none.
  Int first_multiple(const Int& space, const Int& capacity, const Int& size,
                     const Int& step) const {
    Int lowest = capacity;
    for (const Gap& gap : gaps(space, capacity)) {
      const Int start = (gap.start + step - 1) / step * step;
      lowest = ite(gap.start + gap.length - start >= size, min(lowest, start), lowest);
    }
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
    for (const Gap& gap : gaps(space, capacity)) {
      const Int own = key(gap.start, gap.length);
      const Bool better = gap.length >= size && (address == capacity || own < least ||
                                                 (own == least && gap.start < address));
      address = ite(better, gap.start, address);
      least = ite(better, own, least);
    }
    return address;
  }

 private:
  struct Gap {
    Int start;
    Int length;  ///< 0 where there is no gap after all
  };

  /// The free intervals of one space. A gap begins at 0 or where an interval ends,
  /// and goes to the next interval's base; with integers they can simply be sorted.
  std::vector<Gap> gaps(const Int& space, const Int& capacity) const {
    std::vector<Gap> gaps;
    gaps.reserve(intervals.size() + 1);
    if constexpr (std::is_same_v<Int, int>) {
      for (const Interval& i : intervals) {
        if (i.space == space) gaps.push_back({i.base, i.size});
      }
      std::sort(gaps.begin(), gaps.end(),
                [](const Gap& a, const Gap& b) { return a.start < b.start; });
      int start = 0;
      for (Gap& gap : gaps) {
        const int end = gap.start + gap.length;
        gap = {start, std::max(0, std::min(gap.start, capacity) - start)};
        start = end;
      }
      gaps.push_back({start, std::max(0, capacity - start)});
    } else {
      const auto gap_from = [&](const Bool& exists, const Int& start) {
        Int end = capacity;
        for (const Interval& i : intervals) {
          end = ite(i.used && i.space == space && i.base >= start, min(end, i.base), end);
        }
        gaps.push_back({start, ite(exists, max(end - start, Int(0)), Int(0))});
      };
      gap_from(true, 0);
      for (const Interval& i : intervals) {
        gap_from(i.used && i.space == space, i.base + i.size);
      }
    }
    return gaps;
  }
};

}  // namespace cuvier
