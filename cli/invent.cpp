#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/invention_run.h"
#include "cli/oracle_argument.h"

namespace cuvier {
namespace {

struct Arguments {
  OracleArgument oracle;
  std::string out;
  std::vector<std::string> assumptions;
  InferenceOptions options;
};

int invent_mechanism(const Arguments& arguments, Terminal& terminal) {
  const auto oracle = open_oracle(arguments.oracle, arguments.options.seed);
  const InferenceRun run{arguments.out, read_assumptions(arguments.assumptions, oracle->device()),
                         arguments.options};
  return exit_code(run_invention(*oracle, run, terminal).verdict);
}

void declare(Options& options, Arguments& arguments) {
  add_oracle(options, arguments.oracle)->required();
  options.add("--out DIR", arguments.out, "The folder for what is found")->required();
  add_assumptions(options, arguments.assumptions);
  options.number("--max-probes N", arguments.options.max_probes, 1, 1'000'000,
                 "Ask at most so many probes, beside random sequences");
  options.seed(arguments.options.seed);
}

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
