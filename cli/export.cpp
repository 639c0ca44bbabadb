
#include "cli/command.h"
#include "cli/inputs.h"
#include "reports/document/json_text.h"
#include "reports/document/write_file.h"
#include "reports/model/model_report.h"
#include "solver/proof/next_sm.h"

namespace cuvier {
namespace {

struct ExportArguments {
  std::string model;
  std::string device;
  std::string format;
  std::string out;
};

std::string exported(const ExportArguments& arguments) {
  const Device device = device_of_model(arguments.model, arguments.device);
  const Hypothesis hypothesis = read_hypothesis(arguments.model, device);
  if (arguments.format == "cpp") return model_header(device, hypothesis);
  if (arguments.format == "smt2") return next_sm_smt2(device, hypothesis);
  return json_text(model_facts(device, hypothesis), 2) + '\n';
}

int export_model(const ExportArguments& arguments, Terminal& terminal) {
  const std::string text = exported(arguments);
  arguments.out.empty() ? terminal.print(text) : write_file(arguments.out, text);
  return exit_done;
}

void declare_export(Options& options, ExportArguments& arguments) {
  options.add("MODEL", arguments.model, "What is exported");
  options.device(arguments.device, "; if not the model file's own");
  options
      .choice("--format FORMAT", arguments.format, {"cpp", "json", "smt2"}, "The format, see below")
      ->required();
  options.output("--out FILE", arguments.out, "Write it to this file instead of standard output");
}

}  // namespace

Command export_command() {
  return {"export",
          "A model as a C++ header, as plain facts or as SMT-LIB",
          R"(FORMAT is one of:
  cpp   a C++20 header that needs only the standard library and predicts where the GPU puts
        blocks as they come and go: for simulators and schedulers to include
  json  the model and the device as plain facts: axes with what they mean, SMs in their
        order, TPCs and GPCs as lists; --model takes it, too
  smt2  which SM gets the next block, whatever the SMs are like, as SMT-LIB 2
What is in each: docs/howto/export.md.)",
          R"(  cuvier export findings/mine/model.json --format cpp --out my_gpu.h
  cuvier export rtx3090-as-recorded --device rtx3090 --format smt2)",
          {},
          with(declare_export, export_model)};
}

}  // namespace cuvier
