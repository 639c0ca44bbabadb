#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hypotheses/axis.h"
#include "solver/cancellation/task.h"
#include "solver/invention/rule_trials.h"

namespace cuvier {

/// A formula, and how many sessions it explains.
struct Grown {
  std::string text;
  int explained = 0;
};

/// From a formula on, one change at a time, as long as more sessions are explained by one (hill
/// climbing): another number, a name otherwise, one part more. `own`: what the mechanism has, which
/// may hold for the rest of the blocks. `names`: what formulas may read of the axis's, a bit each.
/// Ends once the trials cost so many blocks.
Grown grown(const FormulaInfo& info, std::uint32_t names, const std::string& own,
            const std::string& from, RuleTrials& trials, double most_blocks, const Task& task);

}  // namespace cuvier
