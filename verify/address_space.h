#pragma once

#include <algorithm>
#include <vector>

namespace cuvier::verify {

/// Memory out of which intervals are allocated.
struct AddressSpace {
  struct Interval {
    long begin = 0;
    long end = 0;
    bool operator==(const Interval&) const = default;
    long length() const { return end - begin; }
  };

  std::vector<Interval> taken = {};  ///< ascending, apart
  long amount = 0;                   ///< taken, in all

  /// What is free below `size`.
  std::vector<Interval> gaps(long size) const {
    std::vector<Interval> gaps;
    long from = 0;
    for (const Interval& each : taken) {
      if (each.begin > from) gaps.push_back({from, each.begin});
      from = each.end;
    }
    if (size > from) gaps.push_back({from, size});
    return gaps;
  }
  void take(Interval interval) {
    taken.insert(std::ranges::find_if(
                     taken, [&](const Interval& each) { return each.begin > interval.begin; }),
                 interval);
    amount += interval.length();
  }
  void give_back(Interval interval) {
    taken.erase(std::ranges::find(taken, interval));
    amount -= interval.length();
  }
  bool operator==(const AddressSpace&) const = default;
};

}  // namespace cuvier::verify
