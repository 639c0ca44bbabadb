#include "uses/clusters.h"

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "hypotheses/devices.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

struct ClustersArguments {
  PredictionArguments prediction;
  KernelsArguments kernels;
  std::vector<std::string> dies;
  bool json = false;
};

std::vector<Kernel> kernels_of(const KernelsArguments& arguments, const Device& device) {
  if (arguments.kernels.empty()) return {filling_kernel(device)};
  KernelSet set = read_kernels(arguments, device);
  if (!set.others.none()) {
    throw Error(arguments.kernels +
                ": clusters are counted on the idle device; leave out resident and reserved_sms");
  }
  return std::move(set.kernels);
}

int count_clusters(const ClustersArguments& arguments, Terminal& terminal) {
  const Model model = model_of(arguments.prediction);
  const Device& device = model.device;
  std::vector<Device> dies;
  for (const std::string& die : arguments.dies) {
    dies.push_back(find_device(die));
    expect_die_of(device, dies.back(), "--die " + die);
  }
  std::vector<ClusterFits> fits;
  std::vector<std::vector<OnDies>> of_dies;
  for (const Kernel& kernel : kernels_of(arguments.kernels, device)) {
    fits.push_back(cluster_fits(device, model.hypothesis, kernel));
    std::vector<ClusterFits> all = {fits.back()};
    for (const Device& die : dies) all.push_back(cluster_fits(die, model.hypothesis, kernel));
    if (!dies.empty()) of_dies.push_back(on_dies(all));
  }
  terminal.tell(arguments.json, clusters_json(fits, of_dies, model),
                clusters_page(fits, of_dies, model));
  return exit_done;
}

void declare_clusters(Options& options, ClustersArguments& arguments) {
  add_prediction_options(options, arguments.prediction);
  add_kernels(options, arguments.kernels, "--kernel KERNELS.json",
              "Of these kernels; if not named, of one whose block fills an SM");
  options.add("--die DEVICE", arguments.dies,
              "Another die of the product, which differs in its map: the least and the most of all "
              "of them; may be repeated");
  options.json(arguments.json);
}

}  // namespace

Command clusters_command() {
  return {"clusters",
          "How many thread block clusters are on a device at once, and which SMs stay idle",
          R"(A cluster's blocks are on one GPC, and GPCs differ in size: a device has SMs for more
clusters than it holds. For each size of clusters this says how many are there at once: at
least, wherever they go; under the model; and at most, which is what the driver's occupancy
query is documented to tell. By GPC it says how many there are and how many SMs stay idle.
Dies of one product differ: with --die this says what the least and the most of several are.
KERNELS.json is as for cuvier fits; its blocks and clusters are of no account.)",
          R"(  cuvier clusters --device h100
  cuvier clusters --device h100 --die mine/device.json --die other/device.json
  cuvier clusters --device b200 --kernel kernels.json)",
          {},
          with(declare_clusters, count_clusters)};
}

}  // namespace cuvier
