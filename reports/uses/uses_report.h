#pragma once

#include <string>
#include <vector>

#include "reports/document/page.h"
#include "reports/model/model_report.h"
#include "uses/clusters.h"
#include "uses/explanation.h"
#include "uses/fits/changes.h"
#include "uses/fits/fits.h"
#include "uses/fits/survivors.h"
#include "uses/kernel_set.h"
#include "uses/kit/score.h"
#include "uses/order/launch_orders.h"
#include "uses/placements.h"
#include "uses/simulate/simulation.h"
#include "uses/waves.h"

namespace cuvier {

/// An observation, with "waits" (waits_json) where something does, "one_of_several_from" where the
/// model leaves something to chance, its name ("model") and what is known of it ("evidence").
nlohmann::ordered_json placements_json(const Placements& placements, const Model& model,
                                       const Probe& probe);

/// The same for people.
std::string placements_text(const Placements& placements, const Model& model, const Probe& probe);

/// Where the block is, and what would move it.
Page explanation_page(const Explanation& why, const Model& model, const Probe& probe);

/// {"device":...,"model":...,"kernel":...,"block":N,"step":N,"sm":N,"beside":{KERNEL:[N,...]},
/// "other_answers":[{"axis":...,"value":...,"step":N,"sm":N}],"without_actions":[{"action":N,"step":N,
/// "sm":N}]}; step and sm are null where it never starts ("wait" says for what it waits).
nlohmann::ordered_json explanation_json(const Explanation& why, const Model& model,
                                        const Probe& probe);

// Of these models, or of what survives an inference.

/// The verdict, what it rests on, and what would change it.
Page fits_page(const Fits& fits, const std::vector<Change>& changes, const Device& device,
               const std::vector<Model>& models, const std::optional<SurvivorCount>& survivors,
               const KernelSet& set);

/// {"verdict":...,"reason":...,"order":[...],"stranded":{KERNEL:BLOCKS},...}: docs/howto/fits.md.
nlohmann::ordered_json fits_json(const Fits& fits, const std::vector<Change>& changes,
                                 const Device& device, const std::vector<Model>& models,
                                 const std::optional<SurvivorCount>& survivors,
                                 const KernelSet& set);

/// The verdict in one line, for the log of a build that checks `path`.
std::string fits_line(const Fits& fits, const Device& device, const KernelSet& set,
                      const std::string& path);

/// The same in SARIF 2.1.0 for code scanning: a result where kernels are not safe, at the line of
/// `text`, which stands in `path`, that names the kernel.
nlohmann::ordered_json fits_sarif(const Fits& fits, const std::vector<Change>& changes,
                                  const Device& device, const KernelSet& set,
                                  const std::string& path, std::string_view text);

/// How many clusters of each kernel are on the device at once, and why not more. `on_dies`: by
/// kernel, or empty.
Page clusters_page(const std::vector<ClusterFits>& kernels,
                   const std::vector<std::vector<OnDies>>& on_dies, const Model& model);

/// {"device":...,"kernels":{NAME:{"blocks_per_sm":...,"clusters":[...]}}}: docs/howto/clusters.md.
nlohmann::ordered_json clusters_json(const std::vector<ClusterFits>& kernels,
                                     const std::vector<std::vector<OnDies>>& on_dies,
                                     const Model& model);

/// How many waves each grid takes beside the others, and how it could be cut to take fewer.
Page waves_page(const std::vector<KernelWaves>& kernels, const Others& others, const Model& model);

/// {"device":...,"kernels":{NAME:{"blocks":...,"at_once":...,"waves":...,"last_wave":...,
/// "fewer":[...]}}}: docs/howto/waves.md.
nlohmann::ordered_json waves_json(const std::vector<KernelWaves>& kernels, const Model& model);

/// The best order, the given, the recommended and the worst, and what that rests on.
Page launch_orders_page(const LaunchOrders& orders, const Model& model, const Workload& workload);

/// {"verdict":...,"reason":...,"best":{"order":[...],"makespan_ms":...,"unfinished":...},
/// "given":...,"recommended":...,"worst":...}: docs/howto/order.md.
nlohmann::ordered_json launch_orders_json(const LaunchOrders& orders, const Model& model,
                                          const Workload& workload);

/// Which probes a simulator misses, and what it does instead of the GPU.
Page score_page(const Score& score);

/// The same for programs, every probe listed.
nlohmann::ordered_json score_json(const Score& score);

/// A workload under one policy, so called.
struct SimulatedPolicy {
  std::string name;
  WorkloadOutcome outcome;
  std::string evidence{};  ///< for the policy on this device (evidence_for); empty: it has none
};

/// What became of a workload under each policy. `alone_ms`: times_alone, what ANTT goes by.
Page simulation_page(const std::vector<SimulatedPolicy>& policies,
                     const std::vector<double>& alone_ms, const Workload& workload,
                     const Device& device);

/// {"policy":NAME,"evidence":...,"antt":...,"unfinished":...,"utilisation":...,"makespan_ms":...,
/// "blocks_per_ms":...,"most_blocks":...,"over_time":{...},"kernels":{NAME:{...}}} for each:
/// docs/howto/simulate.md.
nlohmann::ordered_json outcomes_json(const std::vector<SimulatedPolicy>& policies,
                                     const std::vector<double>& alone_ms, const Workload& workload,
                                     const Device& device);

}  // namespace cuvier
