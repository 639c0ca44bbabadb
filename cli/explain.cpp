#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "probes/json_fields.h"
#include "probes/number_in.h"
#include "reports/uses/uses_report.h"
#include "uses/explanation.h"

namespace cuvier {
namespace {

struct ExplainArguments {
  PredictionArguments prediction;
  ProbeArguments probe;
  std::string block;
  bool json = false;
};

/// "KERNEL:N" of the probe: indices of kernel and block.
std::pair<int, int> block_of(const std::string& text, const Probe& probe) {
  const std::size_t colon = text.rfind(':');
  const std::string name = text.substr(0, colon);
  const auto kernel = probe.find(name);
  if (!kernel || colon == std::string::npos) {
    throw an_error(
        "--block {}: must be KERNEL:N, a kernel of {} and the number of a block; there are {}",
        in_quotes(text), in_quotes(probe.name),
        fmt::join(mapped(probe.kernels, &Kernel::name), ", "));
  }
  if (probe.launch_of(*kernel) == std::ssize(probe.script)) {
    throw an_error("--block: the script launches no {}", in_quotes(name));
  }
  const int blocks = probe.kernels[*kernel].blocks;
  const auto block = number_in<int>(text.substr(colon + 1));
  if (!block || *block < 0 || *block >= blocks) {
    throw an_error("--block {}: {} is no block of {}; it has blocks 0 to {}", in_quotes(text),
                   in_quotes(text.substr(colon + 1)), name, blocks - 1);
  }
  return {*kernel, *block};
}

int explain_block(const ExplainArguments& arguments, Terminal& terminal) {
  const Model model = model_of(arguments.prediction);
  const Probe probe = read_probe(arguments.probe, model.device);
  const auto [kernel, block] = block_of(arguments.block, probe);
  const Explanation why = explain(model.device, model.hypothesis, probe, kernel, block);
  terminal.tell(arguments.json, explanation_json(why, model, probe),
                explanation_page(why, model, probe));
  return exit_done;
}

void declare_explain(Options& options, ExplainArguments& arguments) {
  add_prediction_options(options, arguments.prediction);
  add_probe(options, arguments.probe);
  options.add("--block KERNEL:N", arguments.block, "The block: its kernel's name and its number")
      ->required();
  options.json(arguments.json);
}

}  // namespace

Command explain_command() {
  return {
      "explain",
      "Why a block of a probe is where it is, and what would move it",
      R"(Of one block that cuvier predict places (or not): what is on its SM when it starts; which
answers to the open questions about the scheduler put it there, since with another answer to one of
them it would start elsewhere; and which launches and releases of the script it depends on. Each is
predicted anew. What a probe looks like: cuvier predict --help.)",
      "  cuvier explain --device rtx3090 probe.json --block k2:8",
      {},
      with(declare_explain, explain_block)};
}

}  // namespace cuvier
