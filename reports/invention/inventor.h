#pragma once

#include <functional>
#include <string>

#include "probes/oracle.h"
#include "reports/document/page.h"
#include "reports/inference/inference_folder.h"
#include "solver/cancellation/task.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// How an invention runs its inferences, and who hears of it.
struct InventionMeans {
  /// Infers in the run's folder, and keeps there what was found.
  std::function<Finding(Oracle&, const InferenceRun&)> infer;
  std::function<void(const std::string&)> say;  ///< lines, each with its end
  std::function<void(const Page&)> show;        ///< what a round found
  Task task;
};

/// An inference that goes on where no hypothesis explains the answers: formulas of one axis or two
/// are proposed that do, and told apart as any hypotheses are, until one behaviour is left that
/// random sequences do not contradict either. The folder holds what that of an inference does, and
/// invention.html and invention.json. Throws Error.
Finding invent(Oracle& oracle, const InferenceRun& run, const InventionMeans& means);

}  // namespace cuvier
