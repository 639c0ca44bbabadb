#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/hypothesis_argument.h"
#include "cli/standard_output.h"
#include "hypotheses/devices.h"
#include "reports/document/write_file.h"
#include "reports/finding/model_json.h"
#include "reports/model/model_facts.h"
#include "reports/model/model_header.h"
#include "solver/proof/next_sm.h"

namespace cuvier {
namespace {

struct Arguments {
  std::string model;
  std::string device;
  std::string format;
  std::string out;
};

std::string exported(const Arguments& arguments) {
  const Device device = device_of_model(arguments.model, arguments.device);
  const Hypothesis hypothesis = read_hypothesis(arguments.model, device);
  if (arguments.format == "cpp") return model_header(device, hypothesis);
  if (arguments.format == "smt2") return next_sm_smt2(device, hypothesis);
  return model_facts(device, hypothesis).dump(2) + '\n';
}

int export_model(const Arguments& arguments) {
  if (!arguments.out.empty()) expect_writable(arguments.out);
  const std::string text = exported(arguments);
  arguments.out.empty() ? print(text) : write_file(arguments.out, text);
  return exit_done;
}

}  // namespace

Run declare_export(CLI::App& app) {
  app.footer(
      "FORMAT is one of:\n"
      "  cpp   a C++20 header that needs only the standard library and predicts where the GPU "
      "puts\n"
      "        blocks as they come and go: for simulators and schedulers to include\n"
      "  json  the model and the device as plain facts: axes with what they mean, SMs in their\n"
      "        order, TPCs and GPCs as lists; --model takes it, too\n"
      "  smt2  which SM gets the next block, whatever the SMs are like, as SMT-LIB 2\n"
      "What is in each: docs/export.md.\n"
      "\n"
      "MODEL is " +
      std::string(hypothesis_meaning) +
      "\n"
      "\n"
      "Examples:\n"
      "  cuvier export findings/mine/model.json --format cpp --out my_gpu.h\n"
      "  cuvier export rtx3090-as-recorded --device rtx3090 --format smt2\n"
      "\n"
      "Exit codes: 0 done, 2 bad usage or input, or output that cannot be written");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("MODEL", arguments->model, "What is exported, see below")
      ->required()
      ->type_name("MODEL");
  app.add_option("--device", arguments->device,
                 "A name that `cuvier devices` lists, or a .json file; if not the model file's own")
      ->type_name("DEVICE");
  app.add_option("--format", arguments->format, "How, see below")
      ->required()
      ->check(CLI::IsMember({"cpp", "json", "smt2"}))
      ->type_name("FORMAT");
  app.add_option("--out", arguments->out, "Write it to this file instead of standard output")
      ->type_name("FILE");
  return [arguments] { return export_model(*arguments); };
}

}  // namespace cuvier
