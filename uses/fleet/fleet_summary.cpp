#include "uses/fleet/fleet_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/scheduler/groups.h"
#include "probes/device_json.h"
#include "solver/minimise/minimise.h"

namespace cuvier {
namespace {

/// Two classes of a product are compared where both are among its largest.
constexpr std::size_t kCompared = 5;

/// Times as long as most: a GPU on which something else runs, or that throttles.
constexpr double kSlow = 5;

/// In what a device differs from the file of its name, beside its map.
std::vector<std::string> unlike_file(const Device& device) {
  const auto& files = known_devices();
  const auto file = std::ranges::find_if(
      files, [&](const DeviceFile& known) { return known.device.name == device.name; });
  if (file == files.end()) return {};
  std::vector<std::string> words;
  for (const auto& [field, documented, is] : differing_fields(file->device, device)) {
    if (field == "gpc_of_sm" || field == "tpc_of_sm" || documented == "nothing") continue;
    words.push_back(fmt::format("{}: {}, not {}", field, is, documented));
  }
  return words;
}

/// By product and what else makes a class.
using Key = std::pair<std::string, std::string>;

/// What is gathered before anything is sorted.
class Gathering {
 public:
  void add(GpuResult&& gpu) {
    if (gpu.stage != FleetStage::done) {
      summary.unfinished.push_back(gpu.failed.empty() ? gpu.id
                                                      : fmt::format("{}: {}", gpu.id, gpu.failed));
      return;
    }
    ++summary.gpus;
    const std::string product = gpu.product();
    run_ms[product].emplace_back(gpu.run_ms, gpu.id);
    std::vector<std::string> otherwise = unlike_file(gpu.device);
    std::ranges::move(gpu.facts_otherwise, std::back_inserter(otherwise));
    for (const std::string& fact : otherwise) facts[fact].push_back(gpu.id);
    if (!gpu.unrepeated.empty()) odd["its answers did not repeat"].push_back(gpu.id);
    if (!gpu.silent_sms.empty()) {
      odd[fmt::format("no block was seen on SM {}", fmt::join(gpu.silent_sms, ", "))].push_back(
          gpu.id);
    }
    const MechanismClass* const mechanism = add_mechanism(gpu);
    add_map(std::move(gpu), mechanism);
  }

  struct Die {
    MapClass of;
    std::map<const MechanismClass*, int> mechanisms;
  };

  FleetSummary summary;
  std::map<Key, MechanismClass> mechanisms;
  std::map<Key, Die> dies;
  std::map<std::string, std::vector<std::pair<double, std::string>>> run_ms;
  std::map<std::string, std::vector<std::string>> facts, odd, unexplained;

 private:
  const MechanismClass* add_mechanism(const GpuResult& gpu) {
    if (!gpu.mechanism || (gpu.verdict != as_the_model && gpu.verdict != "identified")) {
      unexplained[fmt::format("{}: {}", gpu.verdict, gpu.reason)].push_back(gpu.id);
      return nullptr;
    }
    const Hypothesis mechanism = canonical(*gpu.mechanism);
    const Key key{gpu.product(),
                  to_json(mechanism).dump() + fmt::format("{}", fmt::join(mechanism.order, ","))};
    MechanismClass& found =
        mechanisms.try_emplace(key, MechanismClass{key.first, mechanism, {}, gpu.device})
            .first->second;
    found.gpus.push_back(gpu.id);
    return &found;
  }

  void add_map(GpuResult&& gpu, const MechanismClass* mechanism) {
    if (gpu.device.gpc_of_sm.empty()) {
      summary.without_map.push_back(gpu.id);
      return;
    }
    gpu.device.gpc_of_sm = numbered_by_first_sm(gpu.device.gpc_of_sm);
    const std::vector<int> tpcs = grouping_of(gpu.device, Hierarchy::tpc).of_sm;
    const Key key{gpu.product(),
                  fmt::format("{};{}", fmt::join(gpu.device.gpc_of_sm, ","), fmt::join(tpcs, ","))};
    Die& die = dies.try_emplace(key, Die{{key.first, gpu.device, {}, {}}, {}}).first->second;
    die.of.gpus.push_back(gpu.id);
    if (mechanism) ++die.mechanisms[mechanism];
  }
};

std::vector<Remark> remarks(std::map<std::string, std::vector<std::string>>& gathered) {
  std::vector<Remark> remarks;
  for (auto& [what, gpus] : gathered) {
    std::ranges::sort(gpus);
    remarks.push_back({what, std::move(gpus)});
  }
  return remarks;
}

void count_clusters(Gathering::Die& die,
                    std::map<std::pair<std::string, int>, FleetClusters>& all) {
  int most = 0;
  for (const auto& [mechanism, gpus] : die.mechanisms) {
    if (die.of.device.largest_cluster() == 0) return;
    const auto sizes =
        cluster_fits(die.of.device, mechanism->mechanism, filling_kernel(die.of.device)).sizes;
    for (const ClusterFit& fit : sizes) {
      FleetClusters& clusters = all.try_emplace({die.of.product, fit.blocks},
                                                FleetClusters{die.of.product, fit.blocks, {}, {}})
                                    .first->second;
      const bool is_worst = clusters.gpus.empty() || fit.under_model() < clusters.least();
      if (is_worst) clusters.worst = die.of.gpus.front();
      clusters.gpus[fit.under_model()] += gpus;
    }
    if (gpus > most) die.of.clusters = sizes;
    most = std::max(most, gpus);
  }
}

void find_slow(Gathering& gathered) {
  for (auto& [product, times] : gathered.run_ms) {
    const auto middle = times.begin() + std::ssize(times) / 2;
    std::ranges::nth_element(times, middle);
    const double usual = middle->first;
    for (const auto& [ms, gpu] : times) {
      if (ms > kSlow * usual) {
        gathered.odd[fmt::format("a probe takes more than {:.0f} times as long as on most", kSlow)]
            .push_back(gpu);
      }
    }
  }
}

/// By product, the largest first, and those of one size by their first GPU.
template <class Class>
void in_order(std::vector<Class>& classes) {
  for (Class& each : classes) std::ranges::sort(each.gpus);
  std::ranges::sort(classes, [](const Class& a, const Class& b) {
    if (a.product != b.product) return a.product < b.product;
    if (a.gpus.size() != b.gpus.size()) return a.gpus.size() > b.gpus.size();
    return a.gpus.front() < b.gpus.front();
  });
}

}  // namespace

int FleetClusters::median() const {
  int all = 0;
  for (const auto& [clusters, count] : gpus) all += count;
  int before = 0;
  for (const auto& [clusters, count] : gpus) {
    before += count;
    if (2 * before >= all) return clusters;
  }
  return 0;
}

FleetSummary summary_of(const FleetFolder& folder, const Task& task) {
  Gathering gathered;
  int read = 0;
  folder.each_gpu([&](GpuResult&& gpu) {
    if (++read % 100 == 0) task.doing("reading: {} GPUs so far", read);
    gathered.add(std::move(gpu));
  });
  FleetSummary& summary = gathered.summary;
  find_slow(gathered);
  summary.facts = remarks(gathered.facts);
  summary.odd = remarks(gathered.odd);
  summary.unexplained = remarks(gathered.unexplained);
  std::map<std::pair<std::string, int>, FleetClusters> clusters;
  for (auto& [key, die] : gathered.dies) {
    task.doing("counting the clusters of {} maps", gathered.dies.size());
    std::ranges::sort(die.of.gpus);
    count_clusters(die, clusters);
    summary.maps.push_back(std::move(die.of));
  }
  for (auto& [key, mechanism] : gathered.mechanisms) {
    summary.mechanisms.push_back(std::move(mechanism));
  }
  for (auto& [key, of_size] : clusters) summary.clusters.push_back(std::move(of_size));
  in_order(summary.mechanisms);
  in_order(summary.maps);
  std::ranges::sort(summary.unfinished);
  std::ranges::sort(summary.without_map);
  for (const FleetNode& node : folder.submitted().nodes) {
    const int reached = folder.reached(node.name);
    if (reached >= node.gpus) continue;
    summary.unreached.push_back({node, reached, folder.failures(node.name)});
  }
  return std::move(summary);
}

void find_differences(FleetSummary& summary, const Task& task) {
  const auto& classes = summary.mechanisms;
  const auto same_product = [&](std::size_t a, std::size_t b) {
    return classes[a].product == classes[b].product;
  };
  const auto is_large = [&](std::size_t index) {
    return index < kCompared || !same_product(index, index - kCompared);
  };
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size() && same_product(a, b) && is_large(b); ++b) {
      const Device& device = classes[a].device;
      try {
        ClassDifference difference{
            a, b, compare(device, classes[a].mechanism, classes[b].mechanism, {}, task)};
        if (auto& distinction = difference.comparison.distinction) {
          make_smaller(*distinction, device, classes[a].mechanism, classes[b].mechanism,
                       ComparisonOptions().seed, task);
        }
        summary.differences.push_back(std::move(difference));
      } catch (const Stopped&) {
        return;
      }
    }
  }
}

}  // namespace cuvier
