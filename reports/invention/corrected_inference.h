#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probes/oracle.h"
#include "reports/invention/inventor.h"
#include "solver/space/sessions.h"

namespace cuvier {

/// An inference of a device of which one fact is another than it says.
struct CorrectedInference {
  std::string words;               ///< "max_warps_per_sm is 52 instead of 48"
  std::string folder;              ///< with device.json, and what an inference leaves
  std::optional<Finding> finding;  ///< none: a recorded kernel could not be launched then
  int asked = 0;                   ///< random sequences that could have contradicted what is left
  bool holds = false;              ///< nothing that was asked contradicts it
};

/// Where one of these mechanisms explains all that was observed once a fact of the device is
/// another: goes on under that fact, in a folder within the run's, and holds what is left against
/// random sequences. Where that fails, what was answered meanwhile is in the run's journal, too.
/// Throws Error, and Stopped.
std::optional<CorrectedInference> infer_corrected(Oracle& oracle, InferenceRun& run,
                                                  const std::vector<Hypothesis>& mechanisms,
                                                  const std::vector<Session>& observed,
                                                  int sequences, const InventionMeans& means);

}  // namespace cuvier
