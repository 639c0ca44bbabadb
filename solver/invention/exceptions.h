#pragma once

#include <span>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device_corrections.h"
#include "solver/cancellation/task.h"
#include "solver/finding/special_case.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// A mechanism that no hypothesis is, and no formula either: one, but for some kernels or blocks.
struct Exception {
  Hypothesis base;
  Deviation deviation;    ///< of those
  std::string condition;  ///< which these are: a formula over exception_names()
};

/// What the condition may read.
std::span<const FormulaName> exception_names(const Deviation& deviation);

/// The exception must outlive it.
SpecialCase mechanism_of(const Device& device, const Exception& exception);

/// "algorithm-1, but where w == 3 (w: warps of a block): warp_placement=fixed_start".
std::string words_of(const Exception& exception);

/// Exceptions from the mechanism by these deviations that explain all of the sessions, the shortest
/// condition first. Limits of the device are no exceptions. Looks no further once so many blocks
/// were predicted. Throws Stopped.
std::vector<Exception> exceptions_that_explain(const Device& device,
                                               const std::vector<Session>& sessions,
                                               const Hypothesis& mechanism,
                                               const std::vector<Deviation>& deviations,
                                               double most_blocks, const Task& task);

/// Corrections of one fact of the device under each of which the mechanism explains everything that
/// was observed; of each field the nearest to what is documented comes first. None where it does so
/// without. Throws Stopped.
std::vector<DeviceCorrection> corrections_that_explain(const Device& device,
                                                       const std::vector<Session>& sessions,
                                                       const Hypothesis& mechanism,
                                                       const Task& task);

}  // namespace cuvier
