#include "uses/waves.h"

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

struct WavesArguments {
  KernelsArguments kernels;
  PredictionArguments prediction;
  bool json = false;
};

int count_waves(const WavesArguments& arguments, Terminal& terminal) {
  const Model model = model_of(arguments.prediction);
  const KernelSet set = read_kernels(arguments.kernels, model.device);
  std::vector<KernelWaves> found;
  for (const Kernel& kernel : set.kernels) {
    found.push_back(waves(model.device, model.hypothesis, kernel, set.others));
  }
  terminal.tell(arguments.json, waves_json(found, model), waves_page(found, set.others, model));
  return exit_done;
}

void declare_waves(Options& options, WavesArguments& arguments) {
  add_kernels(options, arguments.kernels);
  add_prediction_options(options, arguments.prediction);
  options.json(arguments.json);
}

}  // namespace

Command waves_command() {
  return {
      "waves",
      "How many waves a grid takes, and which sizes of blocks or clusters take fewer",
      R"(A grid that has more blocks than find a place at once goes in waves, and its last one may be
nearly empty. For each kernel, alone on the SMs that are left, this says how many waves there are
and how full the last one is; then which sizes of blocks, and of clusters, would take fewer.
KERNELS.json is as for cuvier fits: "resident" and "reserved_sms" are what is there already.)",
      R"(  cuvier waves kernels.json --device h100
  nvcc -Xptxas -v ... 2>report.txt; cuvier waves kernels.json --device h200 \
    --kernel-report report.txt)",
      {},
      with(declare_waves, count_waves)};
}

}  // namespace cuvier
