#include "uses/kit/score.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/number_argument.h"
#include "cli/oracle_argument.h"
#include "cli/progress.h"
#include "cli/shown.h"
#include "probes/device_json.h"
#include "reports/finding/model_json.h"
#include "reports/uses/score_report.h"
#include "solver/check/check.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string kit;
  OracleArgument oracle;
  std::string log;
  std::uint64_t seed = 1;
  double time_limit_s = 0;
  bool json = false;
};

/// For each axis what explains the GPU: the model's values, or what its recordings leave.
SurvivingValues values_of_gpu(const Arguments& arguments, const RecordingSet& golden,
                              const std::function<void(const std::string&)>& progress) {
  const fs::path model = fs::path(arguments.kit) / "model.json";
  if (!fs::exists(model)) {
    return check({golden}, Assumptions::all(golden.device), progress).surviving;
  }
  const Hypothesis hypothesis = read_model(model.string());
  SurvivingValues values;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (matters(axis, hypothesis)) values[axis] = {hypothesis.values[axis]};
  }
  return values;
}

RecordingSet answers_of(const Arguments& arguments, const RecordingSet& golden,
                        std::vector<std::string>& refused) {
  if (!arguments.log.empty()) return read_log(golden, arguments.log, refused);
  const auto oracle = open_oracle(arguments.oracle, arguments.seed);
  if (oracle->device().sms != golden.device.sms) {
    throw Error(fmt::format("{}: has {} SMs, and the kit is for {}, which has {}",
                            oracle->description(), oracle->device().sms, golden.device.name,
                            golden.device.sms));
  }
  return ask_all(golden, *oracle, refused);
}

int score_simulator(const Arguments& arguments) {
  if (arguments.oracle.oracle.empty() == arguments.log.empty()) {
    throw Error("who is scored? Give --oracle or --log, one of them");
  }
  const RecordingSet golden = read_recordings((fs::path(arguments.kit) / "golden.jsonl").string());
  std::vector<std::string> refused;
  const RecordingSet answers = answers_of(arguments, golden, refused);
  if (answers.recordings.empty()) throw Error(answers.source + ": answers no probe of the kit");
  Terminal terminal;
  const auto progress = limited_progress(terminal, arguments.time_limit_s);
  Score result = score(golden, answers);
  result.refused = refused;
  if (!arguments.log.empty()) result.cut_off = cut_off(golden, answers);
  if (!result.missed.empty()) {
    explain(result, answers, values_of_gpu(arguments, golden, progress), progress);
  }
  terminal.print(arguments.json ? score_json(result).dump(2) + '\n' : shown(score_page(result)));
  return result.missed.empty() ? exit_done : exit_refuted;
}

}  // namespace

Run declare_score(CLI::App& app) {
  app.footer(
      "Asks a simulator the probes of a kit (cuvier kit), or reads its log of them, and says "
      "which\n"
      "it misses and what it does there that the GPU does not, axis by axis.\n"
      "\n"
      "The log is a table with the columns of the kit's placements.csv, a line for each block "
      "that\n"
      "started: probe, step (that of the kernel's launch where there is no such column), kernel, "
      "block,\n"
      "sm.\n" +
      oracle_help() +
      "\n"
      "\n"
      "Examples:\n"
      "  cuvier score kit --oracle exec:./my-simulator\n"
      "  cuvier score kit --log simulated.csv --json\n"
      "\n"
      "Exit codes: 0 all as on the GPU, 11 the simulator misses some, 2 bad usage or input,\n"
      "3 the oracle failed");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("KIT", arguments->kit, "The folder of a kit")->required()->type_name("");
  add_oracle(app, arguments->oracle)->description("The simulator, see below");
  app.add_option("--log", arguments->log, "What it logged, see below")->type_name("FILE.csv");
  app.add_option("--time-limit", arguments->time_limit_s,
                 "End after about so many seconds, with what is known by then")
      ->type_name("S")
      ->check(seconds_number());
  app.add_option("--seed", arguments->seed, "Of what a simulated device leaves to chance")
      ->type_name("S")
      ->capture_default_str()
      ->check(seed_number());
  app.add_flag("--json", arguments->json, "Print it for programs, every probe listed");
  return [arguments] { return score_simulator(*arguments); };
}

}  // namespace cuvier
