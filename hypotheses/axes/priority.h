#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"
#include "probes/probe.h"

namespace cuvier {

/// Whether stream priorities order the queue.
struct Priority {
  enum Value : int { respected, ignored };
  static constexpr AxisValue values[] = {
      {.name = "respected",
       .meaning = "the queue is ordered by priority, then by joining",
       .formula = "priority"},
      {.name = "ignored", .meaning = "the queue is ordered by joining", .formula = "0"},
  };
  static constexpr FormulaName names[] = {
      asked::priority,
      {"blocks", "of its grid", 1, kMostBlocks},
      {"w", "warps of its block", 1, kMostOfAnSm},
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::order,
      "the queued kernel with the smallest is tried first; ties go by joining"};
  static constexpr AxisInfo info{
      Part::queue, "priority", "whether priorities order the queue", "", values, {}, &formula};

  /// Whether that kernel goes before the other, whichever joined the queue first.
  static bool goes_first(Value value, const Kernel& kernel, const Kernel& other) {
    switch (value) {
      case respected:
        return kernel.priority < other.priority;
      case ignored:
        return false;
    }
    const auto key = [&](const Kernel& k) {
      return order_by_formula<Priority>(value, {k.priority, k.blocks, k.warps()});
    };
    return key(kernel) < key(other);
  }
};

}  // namespace cuvier
