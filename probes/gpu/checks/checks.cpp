#include "probes/gpu/checks/checks.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "probes/gpu/failure.h"
#include "probes/gpu/kernel_table.h"
#include "probes/gpu/sm_groups.h"

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
  return std::ranges::all_of(started.warp_slot.by_block(), [](const std::vector<int>& block) {
    return std::set(block.begin(), block.end()).size() == block.size();
  });
}

int started_in(const Step& step) {
  int blocks = 0;
  for (const Started& started : step.started) blocks += static_cast<int>(started.block.size());
  return blocks;
}

using nlohmann::ordered_json;

/// A kernel with more blocks than the device can hold, if an SM holds no more than this many.
Step overfill(RunnerDevice& device, const Patience& patience, const Kernel& kernel) {
  Probe probe{"overfill", {kernel}, {{0, {}}}};
  return run_probe(device, probe, patience).steps[0];
}

constexpr int launches = 20;

/// In the device's own time, ascending. Not through run_probe, which counts each probe's times
/// from its first block on.
std::vector<std::int64_t> start_times(RunnerDevice& device, const Probe& probe) {
  device.begin(probe);
  device.launch(0);
  std::vector<std::int64_t> times;
  const Clock::time_point deadline = device.now() + Patience{}.submit;
  while (std::ssize(times) < probe.kernels[0].blocks && device.now() < deadline) {
    for (const BlockStart& start : device.poll().started) times.push_back(start.start_ns);
    device.pause();
  }
  drain(device, Patience{}.drain, "a small grid does not leave the device");
  std::ranges::sort(times);
  return times;
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
    std::vector<Kernel> kernels(wanted, device.smallest_block());
    for (int k = 0; k < wanted; ++k) kernels[k].name = "k" + std::to_string(k);
    const Probe probe = launch_all("resident_kernels", std::move(kernels));
    int blocks = 0;
    for (const Step& step : run_probe(device, probe, patience).steps) blocks += started_in(step);
    resident[std::to_string(wanted)] = blocks;
    ok = ok && blocks == wanted;
  }
  return {{"ok", ok}, {"resident_of", std::move(resident)}};
}

int distinct_placements(RunnerDevice& device, const Patience& patience, int runs) {
  Kernel kernel{
      .name = "k", .blocks = device.facts().sms, .threads = 64, .registers = kFewestRegisters};
  const Probe probe{"repeatability", {kernel}, {{0, {}}}};
  std::set<std::vector<int>> placements;
  for (int i = 0; i < runs; ++i) {
    try {
      placements.insert(run_probe(device, probe, patience).steps.front().started.at(0).sm);
    } catch (const Failure& failure) {
      if (failure.code() != FailureCode::timeout) throw;
      placements.insert({});  // cannot be told
    }
  }
  return static_cast<int>(placements.size());
}

CheckResult check_carve_out(RunnerDevice& device, const Patience& patience) {
  const Device& facts = device.facts();
  ordered_json conflicts = ordered_json::array();
  std::map<std::string, int> waits_for;
  for (const int block : {0, 1, facts.sms / 2, facts.sms - 1}) {
    const auto conflict = carve_out_conflict(device, block, patience);
    if (!conflict) {
      return {{"ok", false}, {"why", "a grid of one block an SM does not lie one to an SM"}};
    }
    const int refused = static_cast<int>(conflict->refused.size());
    const char* what = refused == 0                   ? "nothing"
                       : refused == 1                 ? "its SM"
                       : refused == facts.sms_per_tpc ? "its TPC"
                       : refused == facts.sms         ? "the device"
                                                      : "something else";
    ++waits_for[what];
    conflicts.push_back({{"sm", conflict->sm}, {"refused", conflict->refused}});
  }
  return {{"ok", waits_for.size() == 1},
          {"waits_for", waits_for.size() == 1 ? waits_for.begin()->first : "not always the same"},
          {"conflicts", std::move(conflicts)}};
}

CheckResult check_warp_slots(RunnerDevice& device, const Patience& patience) {
  const Device& facts = device.facts();
  Kernel kernel{.name = "heavy", .threads = 32, .registers = facts.max_registers_per_thread};
  kernel.blocks = facts.sms * (facts.registers_per_sm / (kernel.registers * 32) + 1);
  const Step step = overfill(device, patience, kernel);
  std::map<std::vector<int>, int> kinds;  // blocks of each residue on an SM -> SMs
  std::map<int, std::vector<int>> by_sm;
  for (const Started& started : step.started) {
    for (std::size_t i = 0; i < started.sm.size(); ++i) {
      std::vector<int>& residues = by_sm[started.sm[i]];
      residues.resize(facts.subpartitions, 0);
      ++residues[started.warp_slot[i][0] % facts.subpartitions];
    }
  }
  for (const auto& [sm, residues] : by_sm) ++kinds[residues];
  ordered_json seen = ordered_json::array();
  for (const auto& [residues, sms] : kinds) {
    seen.push_back({{"blocks_by_residue", residues}, {"sms", sms}});
  }
  const bool even = kinds.size() == 1 && std::ranges::minmax(kinds.begin()->first).min ==
                                             std::ranges::minmax(kinds.begin()->first).max;
  return {{"ok", even && std::ssize(by_sm) == facts.sms}, {"seen", std::move(seen)}};
}

CheckResult check_occupancy(RunnerDevice& device, const Patience& patience,
                            const Calculator& calculate) {
  const Device& facts = device.facts();
  ordered_json differing = ordered_json::array();
  int tried = 0;
  for (const int registers : {16, 32, 255}) {
    for (const int shared_kib : {0, 1, 48, 100, facts.max_shared_per_block / kKiB}) {
      Kernel kernel{
          .name = "k", .threads = 128, .registers = registers, .shared = shared_kib * kKiB};
      if (kernel.shared > facts.max_shared_per_block) continue;
      const int calculated = calculate(kernel);
      kernel.blocks = facts.sms * (calculated + 1);
      std::map<int, int> blocks_on;
      for (const Started& started : overfill(device, patience, kernel).started) {
        for (const int sm : started.sm) ++blocks_on[sm];
      }
      int most = 0;
      int least = std::ssize(blocks_on) < facts.sms ? 0 : calculated + 1;
      for (const auto& [sm, blocks] : blocks_on) {
        most = std::max(most, blocks);
        least = std::min(least, blocks);
      }
      ++tried;
      if (most == calculated && least == calculated) continue;
      differing.push_back({{"registers", registers},
                           {"shared", kernel.shared},
                           {"calculated", calculated},
                           {"least", least},
                           {"most", most}});
    }
  }
  const bool ok = differing.empty();
  return {{"ok", ok}, {"tried", tried}, {"differing", std::move(differing)}};
}

CheckResult check_clock(RunnerDevice& device, const Patience&) {
  Probe probe;
  probe.kernels = {device.smallest_block()};
  probe.kernels[0].blocks = device.facts().sms;
  probe.script = {{0, {}}};
  std::int64_t step = 0;       // the least difference between two times that differ
  std::int64_t backwards = 0;  // launches that seem to start before one that was over
  std::int64_t latest = 0;
  for (int i = 0; i < launches; ++i) {
    const std::vector<std::int64_t> times = start_times(device, probe);
    if (times.empty()) continue;
    for (std::size_t t = 1; t < times.size(); ++t) {
      const std::int64_t difference = times[t] - times[t - 1];
      if (difference > 0) step = step == 0 ? difference : std::min(step, difference);
    }
    backwards += times.front() < latest;
    latest = times.back();
  }
  return {{"ok", step > 0 && backwards == 0}, {"step_ns", step}, {"went_backwards", backwards}};
}

}  // namespace cuvier::gpu
