#pragma once

#include <string>
#include <vector>

#include "cli/inference_run.h"
#include "cli/options.h"
#include "cli/oracle_argument.h"

namespace cuvier {

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
