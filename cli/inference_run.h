#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/oracle_argument.h"
#include "cli/terminal.h"
#include "hypotheses/assumptions.h"
#include "probes/oracle.h"
#include "reports/inference/inference_folder.h"
#include "solver/infer/inference.h"

namespace cuvier {

/// Tells what it does as it goes on, and what it found. Throws Error.
Finding run_inference(Oracle& oracle, const InferenceRun& run, Terminal& terminal);

/// The same, and where no hypothesis explains the answers, proposes rules (`invent`).
Finding run_invention(Oracle& oracle, const InferenceRun& run, Terminal& terminal);

/// What any command that infers is told.
struct InferenceArguments {
  OracleArgument oracle;
  std::string out;
  std::vector<std::string> assumptions;
  InferenceOptions options;
  bool resume = false;

  /// The option that is returned is --oracle.
  CLI::Option* declare(Options& options);
  /// Throws Error, also where there is nothing to go on with.
  InferenceRun run(const Device& device) const;
};

}  // namespace cuvier
