#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/scheduler/options.h"

namespace cuvier {

/// What a reading (reading.h) answers in which one hypothesis holds.
class SingleReading {
 public:
  /// Throws Error where the device's facts do not suffice for the hypothesis.
  SingleReading(const Device& device, const Hypothesis& hypothesis);
  /// Where it is known that they do: with the place of each SM in the order of the tie-break.
  SingleReading(const Hypothesis& hypothesis, std::vector<int> sm_ranks)
      : hypothesis_(hypothesis), sm_ranks_(std::move(sm_ranks)) {}

  template <class A>
  typename A::Value resolve() const {
    note(AxisList<A>{});
    return hypothesis_.get<A>();
  }
  template <class A>
  bool is(typename A::Value value) const {
    return resolve<A>() == value;
  }
  template <class A>
  bool may_be_formula() const {
    return is_formula<A>(resolve<A>());
  }
  auto outcome_of(const auto& work) const { return work(); }
  void picks(int, const auto&) const {}
  bool may_place(int) const { return true; }
  bool may_place_among(int, int) const { return true; }

  const std::vector<int>& sm_ranks() const {
    note(AxisList<TieBreak>{});
    return sm_ranks_;
  }
  std::vector<int> group_ranks(const std::vector<std::vector<int>>& groups) const {
    return group_ranks_of(groups, sm_ranks());
  }
  template <class Options>
  const auto& at_cursor(const Options& options, const Entry& entry) const {
    return *std::ranges::min_element(options, {},
                                     [&](const auto& option) { return entry.turn(option.rank); });
  }

  /// The axes whose values somebody looked at since the last call, a bit each.
  std::uint64_t take_read() { return std::exchange(read_, 0); }

 protected:
  const Hypothesis& hypothesis() const { return hypothesis_; }

  void note(auto axes) const { read_ |= bits(axes); }

 private:
  Hypothesis hypothesis_;
  std::vector<int> sm_ranks_;
  mutable std::uint64_t read_ = 0;
};

}  // namespace cuvier
