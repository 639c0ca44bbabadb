#include <algorithm>
#include <nlohmann/json.hpp>

#include "probes/gpu/checks/checks.h"

namespace cuvier::gpu {
namespace {

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
