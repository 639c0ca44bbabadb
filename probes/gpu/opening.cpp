#include "probes/gpu/opening.h"

#include <fmt/format.h>

#include "probes/gpu/failure.h"

namespace cuvier::gpu {
namespace {

constexpr int attempts = 3;  // a session without an opening is none

}  // namespace

Probe opening_probe(const RunnerDevice& device) {
  const Device& facts = device.facts();
  Kernel kernel = device.smallest_block();
  kernel.blocks = facts.sms * facts.max_blocks_per_sm;
  Probe probe;
  probe.name = "opening";
  probe.kernels = {kernel};
  probe.script = {{0, {}}};
  return probe;
}

SeenOpening observe_opening(RunnerDevice& device, const Patience& patience) {
  SeenOpening opening{opening_probe(device), {}};
  const auto blocks = static_cast<std::size_t>(opening.probe.kernels[0].blocks);
  std::size_t seen = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    try {
      opening.observation = run_probe(device, opening.probe, patience);
    } catch (const Failure& failure) {
      if (failure.code() != FailureCode::timeout) throw;
      continue;
    }
    const std::vector<Started>& started = opening.observation.steps[0].started;
    seen = started.empty() ? 0 : started[0].block.size();
    if (seen == blocks) return opening;
  }
  throw Failure(FailureCode::internal,
                fmt::format("of {} blocks that should fill the idle device {} started: is somebody "
                            "else on it?",
                            blocks, seen));
}

}  // namespace cuvier::gpu
