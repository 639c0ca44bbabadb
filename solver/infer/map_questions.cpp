#include "solver/infer/map_questions.h"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>
#include <optional>
#include <utility>

#include "corpus/store.h"
#include "hypotheses/scheduler/topology.h"
#include "solver/diagnosis/other_maps.h"

namespace cuvier {
namespace {

/// Blocks that leave no room on their SM for another, in clusters or not.
Kernel alone(const Device& device, const std::string& name, int blocks, int cluster) {
  Kernel kernel{name,
                blocks / cluster * cluster,
                kThreadsPerWarp,
                kFewestRegisters,
                device.max_shared_per_block,
                0,
                0,
                std::nullopt};
  if (cluster > 1) kernel.cluster = cluster;
  return kernel;
}

Probe clusters_of(const Device& device, int size) {
  return {fmt::format("clusters-of-{}", size), {alone(device, "k1", device.sms, size)}, {{0, {}}}};
}

/// Clusters of the size behind so many blocks, which reach into a GPC if SMs are taken GPC by GPC:
/// there they lie otherwise than they would alone.
Probe clusters_behind(const Device& device, int blocks, int size) {
  return {fmt::format("clusters-behind-{}", blocks),
          {alone(device, "k1", blocks, 1), alone(device, "k2", device.sms - blocks, size)},
          {{0, {}}, {1, {}}}};
}

/// Probes in which clusters connect all SMs of each GPC, if the map and its order are true.
std::vector<Probe> connecting(const OtherMap& map) {
  const Device& device = map.device;
  const int largest = device.largest_cluster();
  std::vector<Probe> probes;
  for (int size = 2; size <= largest; size *= 2) probes.push_back(clusters_of(device, size));
  const auto order = named_order(device, map.mechanism.get<TieBreak>());
  int before = -1;
  for (int place = 0; largest > 2 && place < device.sms; ++place) {
    const int gpc = device.gpc_of_sm[order[place]];
    if (gpc == std::exchange(before, gpc)) continue;
    const int blocks = place + device.sms_per_tpc;
    if (blocks + largest <= device.sms) probes.push_back(clusters_behind(device, blocks, largest));
  }
  return probes;
}

/// In each, an SM holds a block that prefers the smallest carve-out, and a block that prefers the
/// largest is offered to all: those that share a configuration with the first are left out.
std::vector<Probe> sharing(const Device& device) {
  Kernel small{"k1", 0, device.max_threads_per_block, kFewestRegisters, 0, 0, 0, std::nullopt};
  std::vector<Probe> probes;
  for (int place = 0; place < device.sms / device.sms_per_tpc; ++place) {
    small.blocks = place + 1;
    std::vector<int> others(place);
    std::iota(others.begin(), others.end(), 0);
    Probe probe{
        fmt::format("carve-outs-{}", place), {small, alone(device, "k2", device.sms, 1)}, {}};
    probe.script.push_back({0, {}});
    if (place > 0) probe.script.push_back({std::nullopt, {{0, std::move(others)}}});
    probe.script.push_back({1, {}});
    probes.push_back(std::move(probe));
  }
  return probes;
}

class Questions {
 public:
  Questions(Oracle& oracle, std::filesystem::path folder, RecordingSet asked, const Task& task)
      : oracle_(oracle), folder_(std::move(folder)), all_(std::move(asked)), task_(task) {}

  void ask(Finding& finding) {
    if (finding.maps.empty()) {
      ask("order", finding.device,
          {{"a-block-on-each-sm",
            {alone(finding.device, "k1", finding.device.sms, 1)},
            {{0, {}}}}});
      finding.maps = other_maps(finding, {all_}, task_);
    }
    if (finding.maps.empty()) return;
    const OtherMap likeliest = finding.maps.front();
    const bool is_of_tpcs = likeliest.device.tpc_of_sm != finding.device.tpc_of_sm;
    int carve_outs = 0;
    if (is_of_tpcs) {
      const std::size_t before = all_.recordings.size();
      ask("carve-outs", likeliest.device, sharing(likeliest.device));
      carve_outs = static_cast<int>(all_.recordings.size() - before);
    }
    if (finding.device.max_cluster > 0) ask("clusters", likeliest.device, connecting(likeliest));
    const auto clusters = clusters_in({all_});
    std::vector<OtherMap> before = std::exchange(finding.maps, other_maps(finding, {all_}, task_));
    for (OtherMap& map : finding.maps) {
      // Where no SMs share a configuration, these answers say nothing.
      if (map.mechanism.get<ConfigScope>() == ConfigScope::tpc) map.carve_outs = carve_outs;
    }
    if (!finding.maps.empty() || is_of_tpcs || clusters.empty()) return;
    // Where GPCs are chosen by no known rule, that clusters stay together is all that is known.
    std::erase_if(before,
                  [&](const OtherMap& map) { return !holds_together(map.device, clusters); });
    for (OtherMap& map : before) map.clusters = static_cast<int>(clusters.size());
    finding.maps = std::move(before);
  }

 private:
  /// Each in a session of its own.
  void ask(const std::string& name, const Device& device, const std::vector<Probe>& probes) {
    int number = 1;  // the first that no earlier run has used
    const auto numbered = [&] { return folder_ / fmt::format("{}-{}", name, number); };
    while (std::filesystem::exists(numbered())) ++number;
    Journal journal(numbered(), device, oracle_.description());
    for (const Probe& probe : probes) {
      task_.doing("asking about the device's map: " + probe.name);
      if (!oracle_.begin_session()) return;
      try {
        Answer answer = std::move(oracle_.run(probe, 1).front());
        all_.recordings.push_back(journal.append(probe, std::move(answer), true, oracle_.opening(),
                                                 {{"why", "which map the device has"}}));
      } catch (const OracleRefusal&) {  // then it says nothing of the map
      }
    }
  }

  Oracle& oracle_;
  const std::filesystem::path folder_;
  RecordingSet all_;
  const Task& task_;
};

}  // namespace

void ask_about_maps(Oracle& oracle, const std::string& folder, Finding& finding, const Task& task) {
  const bool may_be_another = finding.verdict == Verdict::refuted || !finding.maps.empty();
  const bool can_be_asked = finding.device.max_cluster > 0 || finding.device.sms_per_tpc > 1;
  if (!may_be_another || finding.voted || !can_be_asked || !oracle.answers_anything()) {
    return;
  }
  const Finding before = finding;
  try {
    Questions(oracle, folder, finding.counted, task).ask(finding);
  } catch (const Stopped&) {
    finding = before;
  } catch (const OracleInterrupted&) {
    finding = before;
  }
}

}  // namespace cuvier
