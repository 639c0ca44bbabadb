#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "probes/gpu/checks/checks.h"
#include "probes/gpu/sm_groups.h"

namespace cuvier::gpu {
namespace {

using nlohmann::ordered_json;

/// A kernel with more blocks than the device can hold, if an SM holds no more than this many.
Step overfill(RunnerDevice& device, const Patience& patience, const Kernel& kernel) {
  Probe probe{"overfill", {kernel}, {{0, {}}}};
  return run_probe(device, probe, patience).steps[0];
}

}  // namespace

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

}  // namespace cuvier::gpu
