#pragma once

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// What holds of every kernel that the device permits, under a hypothesis that measures room.
struct KernelSurvey {
  bool all_fit = true;  ///< on an idle SM
  bool all_crowd =
      true;  ///< where one block is, there is less room for the next than on an idle SM
  /// An idle SM's room is what its slots, its warps and registers and the largest configuration
  /// leave: no busy SM has more.
  bool idle_is_roomiest = true;
  /// An SM whose configuration is less than a kernel prefers holds fewer of its blocks than an
  /// idle SM has room for.
  bool smaller_is_scarcer = true;
};

KernelSurvey survey_kernels(const Device& device, const Hypothesis& hypothesis);

}  // namespace cuvier
