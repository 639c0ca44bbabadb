#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/oracle_argument.h"
#include "hypotheses/plausible_models.h"
#include "hypotheses/scheduler/wait.h"
#include "hypotheses/simulated_oracle.h"
#include "hypotheses/simulator.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"
#include "reports/placements/placements_report.h"

namespace cuvier {
namespace {

struct RunArguments {
  OracleArgument oracle;
  std::string probe;
  std::string model;
  std::string trace;
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

/// What kernels wait for, as a model has it, in the first steps: those in which all went as it
/// predicts.
struct Explained {
  Model model;
  std::vector<std::vector<Wait>> waits;  ///< by step

  bool is_whole(const Probe& probe) const { return waits.size() == probe.script.size(); }
};

/// What is said to hold, or what is simulated; else what is likeliest.
Model model_of(const RunArguments& arguments, const Oracle& oracle) {
  if (!arguments.model.empty()) return read_model_of(oracle.device(), arguments.model);
  const auto* const simulated = dynamic_cast<const SimulatedOracle*>(&oracle);
  if (simulated) return {oracle.device(), simulated->hypothesis(), "what is simulated"};
  return plausible_models_of(oracle.device()).front();
}

Explained explain(const Model& model, const Probe& probe, const Answer& answer) {
  const Observation predicted = predict(model.device, model.hypothesis, probe);
  int agreeing = static_cast<int>(probe.script.size());
  for (const Fact& fact : answer.facts) {
    if (fact.step >= 0 && !agrees(fact, predicted, probe)) agreeing = std::min(agreeing, fact.step);
  }
  Explained explained{model, waits(model.device, model.hypothesis, probe)};
  explained.waits.resize(agreeing);
  return explained;
}

std::string explained_text(const Explained& explained, const Probe& probe) {
  std::string text = waits_text(explained.waits, probe);
  if (!text.empty()) text = fmt::format("\nas {} has it, {}", model_words(explained.model), text);
  if (!explained.is_whole(probe)) {
    text += fmt::format(
        "\nFrom step {} on it went otherwise than {} predicts, which therefore "
        "cannot say what waits for what (--model).\n",
        explained.waits.size(), model_name(explained.model.hypothesis));
  }
  return text;
}

int run_probe(const RunArguments& arguments, Terminal& terminal) {
  const auto oracle = open_oracle(arguments.oracle, arguments.seed);
  const Probe probe = read_probe(arguments.probe, oracle->device());
  const Model model = model_of(arguments, *oracle);
  const Answer answer = ask(*oracle, probe);
  if (!arguments.trace.empty()) {
    write_file(arguments.trace, trace_text(oracle->device(), probe, answer.facts));
  }
  const Explained explained = explain(model, probe, answer);
  if (arguments.json) {
    nlohmann::ordered_json json = answer_json(answer, probe);
    const auto waits = waits_json(explained.waits, probe);
    if (!waits.empty()) {
      json["waits"] = waits;
      json["waits_under"] = model_name(model.hypothesis);
      json["evidence"] = model.evidence;
    }
    if (!explained.is_whole(probe)) json["predicted_otherwise_from"] = explained.waits.size();
    terminal.print_json(json);
  } else {
    terminal.print("{} on {}, by {}\n\n{}", probe.name, oracle->device().name,
                   oracle->description(), answer_text(answer, probe));
    terminal.print(explained_text(explained, probe));
  }
  return exit_done;
}

void declare_run(Options& options, RunArguments& arguments) {
  add_oracle(options, arguments.oracle)->required();
  add_probe(options, arguments.probe);
  options.add("--model MODEL", arguments.model,
              "The model that says what waits for what; as for cuvier predict");
  options.seed(arguments.seed, "Of what a simulated device leaves to chance");
  options.trace(arguments.trace);
  options.json(arguments.json);
}

}  // namespace

Command run_command() {
  return {
      "run",
      "Where an oracle puts the blocks of a probe",
      R"(The observation is which blocks start in each step, and on which SMs. A recording may know
less: its JSON is {"facts":[...]}. What a probe looks like: cuvier predict --help. What each
kernel that waits waits for is told as MODEL has it (JSON: "waits"), as far as all goes as it
predicts: what is simulated, else the default of cuvier predict.)",
      R"(  cuvier run --oracle gpu probe.json
  cuvier run --oracle sim:a100,selection=round_robin probe.json)",
      {},
      with(declare_run, run_probe)};
}

}  // namespace cuvier
