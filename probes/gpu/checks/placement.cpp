#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "probes/gpu/checks/checks.h"

namespace cuvier::gpu {
namespace {

constexpr int repetitions = 20;
constexpr std::chrono::milliseconds long_wait{50};

/// One block, and no second one, on each SM of a device that spreads blocks.
Kernel wide_kernel(const RunnerDevice& device) {
  return {.name = "wide",
          .blocks = device.facts().sms,
          .threads = device.facts().max_threads_per_block,
          .registers = 32};
}

bool distinct_slots(const Started& started) {
  return std::ranges::all_of(started.warp_slot, [](const std::vector<int>& block) {
    return std::set(block.begin(), block.end()).size() == block.size();
  });
}

int started_in(const Step& step) {
  int blocks = 0;
  for (const Started& started : step.started) blocks += static_cast<int>(started.block.size());
  return blocks;
}

}  // namespace

CheckResult check_one_block_per_sm(RunnerDevice& device, const Patience& patience) {
  Probe probe{"one_block_per_sm", {wide_kernel(device)}, {{0, {}}}};
  std::set<std::vector<int>> orders;
  bool each_once = true;
  bool slots = true;
  std::vector<int> first;
  for (int i = 0; i < repetitions; ++i) {
    const Step step = run_probe(device, probe, patience).steps[0];
    const Started seen = step.started.empty() ? Started{} : step.started[0];
    if (i == 0) first = seen.sm;
    orders.insert(seen.sm);
    const std::set<int> sms(seen.sm.begin(), seen.sm.end());
    each_once = each_once && std::ssize(sms) == device.facts().sms &&
                std::ssize(seen.sm) == device.facts().sms;
    slots = slots && distinct_slots(seen);
  }
  return {{"ok", each_once && slots && orders.size() == 1},
          {"every_sm_once", each_once},
          {"warp_slots_distinct", slots},
          {"orders", orders.size()},
          {"runs", repetitions},
          {"order", first}};
}

CheckResult check_waiting(RunnerDevice& device, const Patience& patience) {
  Probe probe{"waiting", {}, {}};
  Kernel full = wide_kernel(device);
  full.blocks = device.facts().sms * (device.facts().max_warps_per_sm / full.warps());
  Kernel late = full;
  late.name = "late";
  late.blocks = 1;
  probe.kernels = {full, late};
  probe.script = {{0, {}}, {1, {}}, {{}, {{0, {0}}}}};
  Patience patient = patience;
  patient.quiet = long_wait;
  const Observation seen = run_probe(device, probe, patient);
  const int filled = started_in(seen.steps[0]);
  const int early = started_in(seen.steps[1]);
  const int after = started_in(seen.steps[2]);
  return {{"ok", filled == full.blocks && early == 0 && after == 1},
          {"blocks_that_fill_the_device", filled},
          {"expected", full.blocks},
          {"started_without_room", early},
          {"started_after_a_release", after},
          {"waited_ms", long_wait.count()}};
}

CheckResult check_resident_kernels(RunnerDevice& device, const Patience& patience) {
  bool ok = true;
  nlohmann::ordered_json resident = nlohmann::ordered_json::object();
  for (const int wanted : {32, 33, 64, device.facts().max_resident_kernels}) {
    Probe probe{"resident_kernels", {}, {}};
    for (int k = 0; k < wanted; ++k) {
      Kernel kernel = device.smallest_block();
      kernel.name = "k" + std::to_string(k);
      probe.kernels.push_back(kernel);
      probe.script.push_back({k, {}});
    }
    int blocks = 0;
    for (const Step& step : run_probe(device, probe, patience).steps) blocks += started_in(step);
    resident[std::to_string(wanted)] = blocks;
    ok = ok && blocks == wanted;
  }
  return {{"ok", ok}, {"resident_of", std::move(resident)}};
}

}  // namespace cuvier::gpu
