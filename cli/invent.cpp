#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/inference_run.h"
#include "cli/inputs.h"
#include "probes/error.h"
#include "probes/oracles/recording.h"

namespace cuvier {
namespace {

struct InventArguments {
  InferenceArguments inference;
  std::vector<std::string> files;
};

/// A live oracle, or what was recorded.
std::unique_ptr<Oracle> oracle_of(const InventArguments& arguments) {
  const std::vector<std::string>& files = arguments.files;
  if (files.empty() == arguments.inference.oracle.oracle.empty()) {
    throw Error("invent needs --oracle ORACLE or recordings, FILE.jsonl..., and not both");
  }
  if (files.empty()) {
    return open_oracle(arguments.inference.oracle, arguments.inference.options.seed);
  }
  return std::make_unique<RecordingOracle>(fmt::format("{}", fmt::join(files, ", ")),
                                           read_sets(files));
}

int invent_mechanism(const InventArguments& arguments, Terminal& terminal) {
  const auto oracle = oracle_of(arguments);
  const InferenceRun run = arguments.inference.run(oracle->device());
  return exit_code(run_invention(*oracle, run, terminal).verdict);
}

void declare_invent(Options& options, InventArguments& arguments) {
  add_recordings(options, arguments.files)->required(false);
  arguments.inference.declare(options);
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

Of recordings alone, all of them are explained, and nothing is asked.

DIR gets what infer leaves there; its model has the formula. invention.html tells what was
tried, which cases each formula decided and what contradicted it; invention.json is the same
for programs.)",
      R"(  cuvier invent --oracle 'sim:t4,pointer_skip=next + (w >= 8 ? 1 : 0)' --out findings/new
  cuvier invent --oracle exec:cuvier-gpu --out findings/mine
  cuvier invent seen/journal.jsonl more.jsonl --out findings/theirs)",
      {{exit_done, "identified: one behaviour is left"},
       {exit_ambiguous, "ambiguous: several are left, or Ctrl-C ended it"},
       {exit_refuted, "refuted: no formula was found that explains the answers either"},
       {exit_undecided, "undecided: a solver gave up"}},
      with(declare_invent, invent_mechanism)};
}

}  // namespace cuvier
