#include "probes/gpu/opening.h"

#include <fmt/format.h>

#include <cstdio>
#include <set>

#include "probes/gpu/failure.h"

namespace cuvier::gpu {
namespace {

constexpr int attempts = 3;  // a session without an opening tells nothing

}  // namespace

Probe opening_probe(const RunnerDevice& device) {
  const Device& facts = device.facts();
  Kernel kernel = device.smallest_block();
  kernel.blocks = facts.sms * facts.max_blocks_per_sm;
  return {"opening", {kernel}, {{0, {}}}};
}

std::optional<SeenOpening> observe_opening(RunnerDevice& device, const Patience& patience) {
  SeenOpening opening{opening_probe(device), {}};
  int& blocks = opening.probe.kernels[0].blocks;
  std::string why;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    try {
      opening.observation = run_probe(device, opening.probe, patience);
    } catch (const Failure& failure) {
      if (failure.code() != FailureCode::timeout) throw;
      why = failure.what();
      continue;
    }
    const Started& seen = opening.observation.steps[0].started.at(0);
    const auto sms = std::ssize(std::set(seen.sm.begin(), seen.sm.end()));
    const auto started = static_cast<int>(seen.block.size());
    if (started == blocks && sms == device.facts().sms) return opening;
    why = fmt::format("of {} blocks that should fill the idle device {} started, on {} of {} SMs",
                      blocks, started, sms, device.facts().sms);
    // What waited ran afterwards, so what started cannot do as it is; but it is what there is room
    // for.
    blocks = started;
  }
  std::fprintf(stderr, "cuvier-gpu: no opening: %s: is somebody else on the device?\n",
               why.c_str());
  return std::nullopt;
}

}  // namespace cuvier::gpu
