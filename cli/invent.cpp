#include "cli/command.h"
#include "cli/inference_arguments.h"
#include "cli/invention_run.h"

namespace cuvier {
namespace {

int invent_mechanism(const InferenceArguments& arguments, Terminal& terminal) {
  const auto oracle = open_oracle(arguments.oracle, arguments.options.seed);
  return exit_code(run_invention(*oracle, arguments.run(oracle->device()), terminal).verdict);
}

void declare(Options& options, InferenceArguments& arguments) { arguments.declare(options); }

}  // namespace

Command invent_command() {
  return {
      "invent",
      "Propose the rule that no hypothesis has",
      R"(As infer, until no hypothesis explains the answers. Then random sequences are asked, and
formulas of one axis are looked for with which all answers are explained: the smallest
first (cuvier axes --formula AXIS says what they are made of). Those found are hypotheses
as any others: probes tell them apart, and what is left is held against 1,000 random
sequences more. What contradicts it is explained again.

DIR gets what infer leaves there; its model has the formula. A rule that is proposed
explains every answer; it says how many different cases it decided in them.)",
      R"(  cuvier invent --oracle 'sim:t4,pointer_skip=next + (w >= 8 ? 1 : 0)' --out findings/new
  cuvier invent --oracle exec:cuvier-gpu --out findings/mine)",
      {{exit_done, "identified: one behaviour is left"},
       {exit_ambiguous, "ambiguous: several are left, or Ctrl-C ended it"},
       {exit_refuted, "refuted: no formula was found that explains the answers either"},
       {exit_undecided, "undecided: a solver gave up"}},
      with(declare, invent_mechanism)};
}

}  // namespace cuvier
