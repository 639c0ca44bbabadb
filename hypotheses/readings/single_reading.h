#pragma once

#include <algorithm>
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
    return hypothesis_.get<A>();
  }
  template <class A>
  bool is(typename A::Value value) const {
    return hypothesis_.get<A>() == value;
  }
  auto outcome_of(const auto& work) const { return work(); }
  void picks(int, const auto&) const {}
  bool may_place(int) const { return true; }
  bool may_place_among(int, int) const { return true; }

  const std::vector<int>& sm_ranks() const { return sm_ranks_; }
  std::vector<int> group_ranks(const std::vector<std::vector<int>>& groups) const {
    return group_ranks_of(groups, sm_ranks_);
  }
  template <class Options>
  const auto& at_cursor(const Options& options, const Entry& entry) const {
    return *std::ranges::min_element(options, {},
                                     [&](const auto& option) { return entry.turn(option.rank); });
  }

 protected:
  const Hypothesis& hypothesis() const { return hypothesis_; }

 private:
  Hypothesis hypothesis_;
  std::vector<int> sm_ranks_;
};

}  // namespace cuvier
