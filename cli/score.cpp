#include "uses/kit/score.h"

#include <filesystem>

#include "cli/command.h"
#include "cli/oracle_argument.h"
#include "cli/terminal.h"
#include "reports/finding/model_json.h"
#include "reports/uses/uses_report.h"
#include "solver/cancellation/task.h"
#include "solver/check/check.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

struct ScoreArguments {
  std::string kit;
  OracleArgument oracle;
  std::string log;
  std::uint64_t seed = 1;
  double time_limit_s = 0;
  bool json = false;
};

/// For each axis what explains the GPU: the model's values, or what its recordings leave.
SurvivingValues values_of_gpu(const ScoreArguments& arguments, const RecordingSet& golden,
                              const Task& task) {
  const fs::path model = fs::path(arguments.kit) / "model.json";
  if (!fs::exists(model)) {
    return check({golden}, Assumptions::all(golden.device), task).surviving;
  }
  const Hypothesis hypothesis = read_model(model.string());
  SurvivingValues values;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (matters(axis, hypothesis)) values[axis] = {hypothesis.values[axis]};
  }
  return values;
}

RecordingSet answers_of(const ScoreArguments& arguments, const RecordingSet& golden,
                        std::vector<std::string>& refused, const Task& task) {
  if (!arguments.log.empty()) return read_log(golden, arguments.log, refused);
  const auto oracle = open_oracle(arguments.oracle, arguments.seed);
  if (oracle->device().sms != golden.device.sms) {
    throw an_error("{}: has {} SMs, and the kit is for {}, which has {}", oracle->description(),
                   oracle->device().sms, golden.device.name, golden.device.sms);
  }
  return ask_all(golden, *oracle, refused, task);
}

int score_simulator(const ScoreArguments& arguments, Terminal& terminal) {
  if (arguments.oracle.oracle.empty() == arguments.log.empty()) {
    throw Error("which simulator is scored? Give --oracle or --log, one of them");
  }
  const RecordingSet golden = read_recordings((fs::path(arguments.kit) / "golden.jsonl").string());
  const Task task = terminal.task(arguments.time_limit_s);
  std::vector<std::string> refused;
  const RecordingSet answers = answers_of(arguments, golden, refused, task);
  if (answers.recordings.empty()) throw Error(answers.source + ": answers no probe of the kit");
  Score result = score(golden, answers);
  result.refused = refused;
  if (!arguments.log.empty()) result.cut_off = cut_off(golden, answers);
  if (!result.missed.empty()) {
    explain(result, answers, values_of_gpu(arguments, golden, task), task);
  }
  terminal.tell(arguments.json, score_json(result), score_page(result), 2);
  return result.missed.empty() ? exit_done : exit_refuted;
}

void declare_score(Options& options, ScoreArguments& arguments) {
  options.add("KIT", arguments.kit, "The folder of a kit");
  add_oracle(options, arguments.oracle)->description("The simulator, see below");
  add_oracles(options, arguments.oracle);
  options.add("--log FILE.csv", arguments.log, "The simulator's log, see below");
  options.time_limit(arguments.time_limit_s);
  options.seed(arguments.seed, "Of what a simulated device leaves to chance");
  options.json(arguments.json, "Print it for programs, every probe listed");
  options.progress();
}

}  // namespace

Command score_command() {
  return {
      "score",
      "Which mechanism a simulator lacks",
      R"(Asks a simulator the probes of a kit (cuvier kit), or reads its log of them, and says which
it misses and what it does there that the GPU does not, axis by axis.

The log is a table with the columns of the kit's placements.csv, a line for each block that
started: probe, step (that of the kernel's launch where there is no such column), kernel, block,
sm.)",
      R"(  cuvier score kit --oracle exec:./my-simulator
  cuvier score kit --log simulated.csv --json)",
      {{exit_done, "all as on the GPU"},
       {exit_ambiguous, "Ctrl-C or the time limit, before the simulator had answered all"},
       {exit_refuted, "the simulator misses some"}},
      with(declare_score, score_simulator)};
}

}  // namespace cuvier
