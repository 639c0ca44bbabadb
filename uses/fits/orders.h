#pragma once

#include <map>
#include <string>
#include <vector>

#include "hypotheses/scheduler/wait.h"
#include "solver/cancellation/task.h"
#include "uses/fits/launching.h"
#include "uses/fits/others.h"

namespace cuvier {

/// A kernel that arrives: when all before it are placed or stuck, or while they are being placed.
/// Or one that ends.
struct Arrival {
  static constexpr int settled = -1;  ///< once all before it are placed or stuck

  int kernel = 0;
  int after_blocks = settled;  ///< otherwise: once so many blocks of those before it are placed
  bool ends = false;           ///< it arrived before, and all its blocks leave
};

/// An order of launches, and what comes of it.
struct Order {
  std::vector<Arrival> arrivals;
  std::map<int, int> stranded;  ///< kernel -> blocks without a place
  std::vector<Wait> waits;      ///< for what, at the end

  /// Whether a probe can launch so.
  bool is_settled() const;
};

struct OrderLimits {
  int most_launches = 20'000;  ///< that are looked at
  Task task = {};              ///< what this is part of; told of each launch
};

/// What every order of launches leads to under one hypothesis, on a device that nothing ran on
/// before but what is beside them. Kernels that differ in their names only are not told apart. A
/// kernel that others come after (Precedence::ends) ends at any moment once all its blocks are
/// resident and no block waits that it might await; its blocks leave together. Others never end.
struct Orders {
  bool possible = true;            ///< what is beside the kernels can be there
  bool all_seen = false;           ///< no order was left out
  int launches = 0;                ///< that were looked at
  std::optional<Order> stranding;  ///< the fewest launches, then blocks, that strand one
  std::optional<Order> safe;       ///< places all; one that a probe can launch, if any does
  std::vector<Order> all_safe;     ///< all that place all, as far as they were looked at
};

/// Until the first order that strands a block and no shorter one does. Kernels must be legal on
/// the device. In `Order::waits` those that are resident follow the kernels. Throws Error where the
/// device's facts do not suffice for the hypothesis.
Orders orders(const Device& device, const Hypothesis& hypothesis,
              const std::vector<Kernel>& kernels, const std::vector<Precedence>& precedences = {},
              const OrderLimits& limits = {}, const Beside& beside = {});

/// A probe that launches so; only of an order that is settled.
Probe probe_of(const Order& order, const std::vector<Kernel>& kernels, const std::string& name);

}  // namespace cuvier
