#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/inference_run.h"
#include "cli/number_argument.h"
#include "cli/oracle_argument.h"
#include "probes/error.h"

namespace cuvier {
namespace {

struct Arguments {
  OracleArgument oracle;
  std::string out;
  std::vector<std::string> assumptions;
  InferenceOptions options;
  bool resume = false;
};

int infer_mechanism(const Arguments& arguments) {
  if (arguments.resume && !std::filesystem::exists(arguments.out)) {
    throw Error(
        fmt::format("{}: is not there: name the folder of an inference that is to go on, or "
                    "leave out --resume to begin one",
                    arguments.out));
  }
  const auto oracle = open_oracle(arguments.oracle, arguments.options.seed);
  InferenceRun run{arguments.out, Assumptions::all(oracle->device()), arguments.options,
                   arguments.resume};
  for (const std::string& text : arguments.assumptions) run.assumptions.restrict_by(text);
  Terminal terminal;
  return exit_code(run_inference(*oracle, run, terminal).verdict);
}

}  // namespace

Run declare_infer(CLI::App& app) {
  app.footer(
      oracle_help() +
      "\n\n"
      "Each line of progress is a probe that was asked: how many bits it told (each halves the\n"
      "number of hypotheses), how many hypotheses are left, and which kind of probe it was.\n"
      "\n"
      "DIR gets journal.jsonl, every answer as it comes; model.json, what was found;\n"
      "certificate/, what `cuvier verify` needs to check it again; and decisions.json, how it "
      "came\n"
      "about. `cuvier report DIR` shows all that.\n"
      "Killed at any moment, an inference goes on with --resume.\n"
      "\n"
      "--repeat is for oracles whose answers may be wrong. Each run is then a session of its own\n"
      "(a GPU's runner is started anew: a second or so for each), and an answer counts once it\n"
      "is three ahead of every other. Where answers to different probes contradict each other,\n"
      "these are asked again, up to 500 times; after that as few probes as possible are set\n"
      "aside. model.json has what does not count, and why; the journal has every answer.\n"
      "A recording cannot be asked again: each answer that it holds counts.\n"
      "\n"
      "Examples:\n"
      "  cuvier infer --oracle sim:rtx3090 --out findings/first\n"
      "  cuvier infer --oracle sim:h200,selection=round_robin --out findings/planted\n"
      "  cuvier infer --oracle exec:cuvier-gpu --out findings/mine --time-limit 600\n"
      "  cuvier infer --oracle exec:cuvier-gpu --out findings/mine --resume\n"
      "\n"
      "Exit codes:\n"
      "   0  identified: one behaviour is left\n"
      "  10  ambiguous: several are left, and --max-probes, --time-limit or the recordings are\n"
      "      exhausted, or Ctrl-C ended it\n"
      "  11  refuted: no hypothesis explains the answers\n"
      "  12  undecided: a solver gave up\n"
      "   2  bad usage or input, or output that cannot be written\n"
      "   3  the oracle failed");
  const auto arguments = std::make_shared<Arguments>();
  InferenceOptions& options = arguments->options;
  constexpr int most_probes = 1'000'000;
  constexpr int most_runs = 1'000;
  add_oracle(app, arguments->oracle)->required();
  app.add_option("--out", arguments->out, "The folder for what is found")
      ->required()
      ->type_name("DIR");
  app.add_option("--assume", arguments->assumptions,
                 "Consider only these values of an axis, or only a hypothesis that `cuvier axes` "
                 "names; may be repeated")
      ->type_name("AXIS=VALUE[,VALUE...]")
      ->allow_extra_args(false);
  app.add_option("--max-probes", options.max_probes, "Ask at most so many probes")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number(1, most_probes));
  app.add_option("--time-limit", options.time_limit_s, "End after so many seconds")
      ->type_name("S")
      ->check(seconds_number());
  app.add_option("--repeat", options.repeat,
                 "Answers may be wrong: run each probe at least so often, see below")
      ->type_name("R")
      ->capture_default_str()
      ->check(whole_number(1, most_runs));
  app.add_option("--seed", options.seed, "Of every random choice")
      ->type_name("S")
      ->capture_default_str()
      ->check(seed_number());
  app.add_flag("--resume", arguments->resume, "Go on from the answers in DIR");
  return [arguments] { return infer_mechanism(*arguments); };
}

}  // namespace cuvier
