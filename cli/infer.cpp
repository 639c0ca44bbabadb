#include "cli/command.h"
#include "cli/inference_run.h"
#include "reports/inference/inference_report.h"

namespace cuvier {
namespace {

int infer_mechanism(const InferenceArguments& arguments, Terminal& terminal) {
  const auto oracle = open_oracle(arguments.oracle, arguments.options.seed);
  const InferenceRun run = arguments.run(oracle->device());
  const Finding finding = run_inference(*oracle, run, terminal);
  if (finding.verdict == Verdict::refuted && !finding.begins_anew) {
    terminal.print("\n{}\n", after_refuted);
  }
  return exit_code(finding.verdict);
}

void declare_infer(Options& options, InferenceArguments& arguments) {
  arguments.declare(options)->required();
  InferenceOptions& inference = arguments.options;
  options.time_limit(inference.time_limit_s, "End after so many seconds");
  options.number("--repeat R", inference.repeat, 1, 1'000,
                 "Answers may be wrong: run each probe at least so often, see below");
  add_oracles(options, arguments.oracle);
}

}  // namespace

Command infer_command() {
  return {"infer",
          "Ask an oracle until one behaviour is left",
          R"(Each line of progress is a probe that was asked: how many bits it told (each halves the
number of hypotheses), how many hypotheses are left, and which kind of probe it was.

DIR gets journal.jsonl, every answer as it comes; model.json, what was found;
certificate/, what `cuvier verify` needs to check it again; and decisions.json, how it came
about. `cuvier report DIR` shows all that.
Killed at any moment, an inference goes on with --resume.

--repeat is for oracles whose answers may be wrong. Each run is then a session of its own
(a GPU's runner is started anew: a second or so for each), and an answer counts once it
is three ahead of every other. Where answers to different probes contradict each other,
these are asked again, up to 500 times; after that as few probes as possible are set
aside. model.json has what does not count, and why; the journal has every answer.
A recording cannot be asked again: each answer that it holds counts.)",
          R"(  cuvier infer --oracle sim:rtx3090 --out findings/first
  cuvier infer --oracle sim:h200,selection=round_robin --out findings/planted
  cuvier infer --oracle exec:cuvier-gpu --out findings/mine --time-limit 600
  cuvier infer --oracle exec:cuvier-gpu --out findings/mine --resume)",
          {{exit_done, "identified: one behaviour is left"},
           {exit_ambiguous,
            "ambiguous: several are left, and --max-probes, --time-limit or the recordings are "
            "exhausted, or Ctrl-C ended it"},
           {exit_refuted, "refuted: no hypothesis explains the answers"},
           {exit_undecided, "undecided: a solver gave up"}},
          with(declare_infer, infer_mechanism)};
}

}  // namespace cuvier
