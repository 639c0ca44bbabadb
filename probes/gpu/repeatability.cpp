#include "probes/gpu/repeatability.h"

#include <set>

#include "probes/gpu/failure.h"
#include "probes/gpu/kernel_table.h"

namespace cuvier::gpu {

int distinct_placements(RunnerDevice& device, const Patience& patience, int runs) {
  Kernel kernel{
      .name = "k", .blocks = device.facts().sms, .threads = 64, .registers = fewest_registers};
  Probe probe{"repeatability", {kernel}, {{0, {}}}};
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

}  // namespace cuvier::gpu
