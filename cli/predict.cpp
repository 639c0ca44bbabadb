#include "cli/command.h"
#include "cli/inputs.h"
#include "hypotheses/assumptions.h"
#include "reports/document/write_file.h"
#include "reports/placements/placements_report.h"
#include "reports/uses/uses_report.h"
#include "uses/others_fields.h"

namespace cuvier {
namespace {

struct PredictArguments {
  PredictionArguments prediction;
  ProbeArguments probe;
  std::string trace;
  std::string reserved;
  bool json = false;
};

std::vector<int> reserved_sms(const std::string& text, const Device& device) {
  if (text.empty()) return {};
  const std::string where = "--reserved-sms";
  return read_reserved_sms(parse_json(text, where), device, Place(where));
}

int predict_probe(const PredictArguments& arguments, Terminal& terminal) {
  const Model model = model_of(arguments.prediction);
  const Device& device = model.device;
  const Probe probe = read_probe(arguments.probe, device);
  const Placements placed =
      placements(device, model.hypothesis, probe, reserved_sms(arguments.reserved, device));
  if (!arguments.trace.empty()) {
    write_file(arguments.trace, trace_text(device, probe, facts_of(placed.observation, probe)));
  }
  if (arguments.json) {
    terminal.print_json(placements_json(placed, model, probe));
  } else {
    terminal.print(placements_text(placed, model, probe));
  }
  return exit_done;
}

void declare_predict(Options& options, PredictArguments& arguments) {
  add_prediction_options(options, arguments.prediction);
  add_probe(options, arguments.probe);
  options.add("--reserved-sms SMS", arguments.reserved,
              "SMs that take no blocks: how many (the last ones), or which, as [0,1]");
  options.trace(arguments.trace);
  options.json(arguments.json);
}

}  // namespace

Command predict_command() {
  return {
      "predict",
      "Where a hypothesis puts the blocks of a probe",
      R"(The observation is which blocks start in each step, and on which SMs; then what each kernel that
waits waits for (JSON: "waits", an entry for each kernel and step). Where a model leaves something
to chance, it is one outcome of several (JSON: "one_of_several_from", the first step of which that
is so). What recordings say of the model stands beside its name (JSON: "model", "evidence").

A probe. A launched block stays on its SM until it is released, by its number or with all
others of its kernel; shared memory is in bytes, registers are per thread. Blocks and threads may
be [x, y, z]; in place of registers, "entry" names a function of a compiler's report:
  {"name": "first",
   "kernels": {"k1": {"blocks": 82, "threads": 64, "registers": 32, "shared": 49152},
               "k2": {"blocks": 9, "threads": 256, "registers": 32}},
   "script": [{"launch": "k1"}, {"launch": "k2"},
              {"release": [{"kernel": "k1", "blocks": [0, 3]}]}, {"release": ["k1"]}]})",
      R"(  cuvier predict --device rtx3090 probe.json
  cuvier predict --device rtx3090 --assume bfa,tie_break=linear probe.json
  cuvier predict --device my-gpu.json --model findings/mine/model.json probe.json)",
      {},
      with(declare_predict, predict_probe)};
}

}  // namespace cuvier
