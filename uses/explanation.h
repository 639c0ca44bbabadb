#pragma once

#include <optional>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "hypotheses/scheduler/wait.h"
#include "probes/observation.h"

namespace cuvier {

/// Where and when a block starts.
struct BlockStart {
  int step = 0;  ///< of the probe's script
  int sm = 0;

  bool operator==(const BlockStart&) const = default;
};

/// The block's start in the observation; none where it never starts.
std::optional<BlockStart> start_of(int kernel, int block, const Observation& observation);

/// Why a block of a probe is where a model puts it: what would move it. All of it is predicted, so
/// it is so whatever rules the model has.
struct Explanation {
  int kernel = 0;  ///< of the probe
  int block = 0;
  std::optional<BlockStart> start = {};  ///< none: it never starts
  /// Blocks that are on its SM when it starts: those that the script put there in earlier steps and
  /// did not release, and those of its own step that are listed before it.
  struct Neighbour {
    int kernel = 0;
    std::vector<int> blocks;
  };
  std::vector<Neighbour> beside = {};
  std::optional<Wait> wait = {};  ///< what its kernel waits for at the end, if it never starts

  /// The model with another answer to one question, under which it starts elsewhere.
  struct OtherAnswer {
    int axis = 0;
    int value = 0;
    std::optional<BlockStart> start;
  };
  std::vector<OtherAnswer> answers = {};  ///< by axis, in the table's order

  /// The probe without one of its actions, with which it starts elsewhere.
  struct WithoutAction {
    int action = 0;  ///< index into the script
    std::optional<BlockStart> start;
  };
  std::vector<WithoutAction> actions = {};
};

/// The block must be one of a kernel that the probe launches. Throws Error where the device's facts
/// do not suffice for the model.
Explanation explain(const Device& device, const Hypothesis& model, const Probe& probe, int kernel,
                    int block);

}  // namespace cuvier
