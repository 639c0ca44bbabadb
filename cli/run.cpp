#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/number_argument.h"
#include "cli/oracle_argument.h"
#include "cli/probe_file.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "reports/observation_text.h"

namespace cuvier {
namespace {

struct Arguments {
  std::string oracle;
  std::string probe;
  std::uint64_t seed = 1;
  bool json = false;
};

Answer ask(Oracle& oracle, const Probe& probe) {
  try {
    return oracle.run(probe, 1).front();
  } catch (const OracleRefusal& refusal) {
    throw Error(fmt::format("{}: {} ({})", oracle.description(), refusal.what(), refusal.code()),
                Error::Kind::oracle);
  }
}

nlohmann::ordered_json answer_json(const Answer& answer, const Probe& probe) {
  if (answer.observation) return to_json(*answer.observation, probe);
  nlohmann::ordered_json json;
  json["facts"] = nlohmann::ordered_json::array();
  for (const Fact& fact : answer.facts) json["facts"].push_back(to_json(fact, probe));
  return json;
}

int run_probe(const Arguments& arguments) {
  const auto oracle = open_oracle(arguments.oracle, arguments.seed);
  const Probe probe = read_probe(arguments.probe, oracle->device());
  const Answer answer = ask(*oracle, probe);
  if (arguments.json || !stdout_is_terminal()) {
    print(answer_json(answer, probe).dump() + '\n');
  } else {
    print(fmt::format("{} on {}, by {}\n\n{}", probe.name, oracle->device().name,
                      oracle->description(), answer_text(answer, probe)));
  }
  return exit_done;
}

}  // namespace

Run declare_run(CLI::App& app) {
  app.footer(oracle_help() +
             "\n\n"
             "The observation (which blocks start in each step, and on which SMs) is printed as a\n"
             "table on a terminal, and as JSON elsewhere. A recording may know less: its JSON is\n"
             "{\"facts\":[...]}. What a probe looks like: cuvier predict --help.\n"
             "\n"
             "Examples:\n"
             "  cuvier run --oracle gpu probe.json\n"
             "  cuvier run --oracle sim:a100,selection=round_robin probe.json");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("--oracle", arguments->oracle, "Who is asked, see below")
      ->required()
      ->type_name("ORACLE");
  app.add_option("PROBE.json", arguments->probe, "The probe: kernels and a script")
      ->required()
      ->type_name("");
  app.add_option("--seed", arguments->seed, "Of what a simulated device leaves to chance")
      ->type_name("S")
      ->capture_default_str()
      ->check(seed_number());
  app.add_flag("--json", arguments->json, "Print JSON on a terminal too");
  return [arguments] { return run_probe(*arguments); };
}

}  // namespace cuvier
