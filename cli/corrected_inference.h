#pragma once

#include <string>

#include "cli/inference_run.h"
#include "probes/device_corrections.h"
#include "probes/oracle.h"

namespace cuvier {

/// An inference of a device of which one fact is another than it says.
struct CorrectedInference {
  std::string folder;  ///< with device.json, and what an inference leaves
  Finding finding;
  int asked = 0;  ///< random sequences that could have contradicted what is left
  bool holds = false;
};

/// Goes on from all answers in the run's folder, in a folder within it. What is left is held
/// against random sequences. Where it does not hold, what was answered meanwhile is in the run's
/// journal, too. Throws Error, and Stopped.
CorrectedInference infer_corrected(Oracle& oracle, InferenceRun& run,
                                   const DeviceCorrection& correction, int sequences,
                                   Terminal& terminal);

}  // namespace cuvier
