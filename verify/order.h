#pragma once

// The order of the SMs and the groups that they make: scheduler.md, 4.3 and 4.4.

#include <optional>
#include <vector>

#include "verify/device.h"
#include "verify/mechanism.h"

namespace cuvier::verify {

/// SMs among which one is chosen, first the first; and the groups, by their first SM.
struct SmOrder {
  std::vector<int> sms;
  std::vector<std::vector<int>> groups;  ///< of a hierarchy; one of all SMs without
  std::vector<int> group_of_sm;
};

/// `learned`: what the model says, where `tie_break=learned`.
SmOrder order_of(const Mechanism& mechanism, const Device& device, const std::vector<int>& learned);

/// Of SMs that are in TPCs: the first of each TPC, then the second of each, and so on.
/// `first_last`: but the first ones last.
std::vector<int> interleaved(const std::vector<std::vector<int>>& tpcs, bool first_last = false);

}  // namespace cuvier::verify
