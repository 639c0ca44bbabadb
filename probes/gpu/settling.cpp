#include "probes/gpu/settling.h"

#include <algorithm>

#include "probes/gpu/failure.h"
#include "probes/gpu/kernel_table.h"

namespace cuvier::gpu {
namespace {

using std::chrono::microseconds;

constexpr int grids = 10;
constexpr int safety_factor = 8;
constexpr microseconds least_quiet{200};  // below this the host's own jitter decides
constexpr microseconds longest_wait{500'000};

/// The longest time for which nothing was seen while blocks had yet to start.
microseconds gap_of_one(RunnerDevice& device, const Probe& probe) {
  device.begin(probe);
  Clock::time_point seen = device.now();
  device.launch(0);
  Clock::duration gap{0};
  for (int left = probe.kernels[0].blocks; left > 0;) {
    const int count = static_cast<int>(device.poll().started.size());
    const Clock::time_point now = device.now();
    if (count > 0) {
      gap = std::max(gap, now - seen);
      seen = now;
      left -= count;
    } else if (now - seen > longest_wait) {
      break;  // it does not fit at once, or somebody else is on the device
    }
    device.pause();
  }
  device.open_all();
  const Clock::time_point deadline = device.now() + Patience{}.drain;
  while (!device.idle()) {
    if (device.now() > deadline) {
      throw Failure(FailureCode::device_lost, "a full grid does not leave the device");
    }
    device.pause();
  }
  return std::chrono::ceil<microseconds>(gap);
}

}  // namespace

Probe full_grid(const Device& device) {
  Probe probe;
  probe.name = "full_grid";
  Kernel kernel;
  kernel.name = "k";
  kernel.blocks = device.sms * device.max_blocks_per_sm;
  kernel.threads = 32;
  kernel.registers = fewest_registers;
  probe.kernels.push_back(kernel);
  probe.script.push_back({0, {}});
  return probe;
}

Settling measure_settling(RunnerDevice& device) {
  const Probe probe = full_grid(device.facts());
  gap_of_one(device, probe);  // the first is slower than all later ones
  Settling settling;
  for (int i = 0; i < grids; ++i) {
    settling.largest_gap = std::max(settling.largest_gap, gap_of_one(device, probe));
  }
  settling.quiet = std::max(least_quiet, settling.largest_gap * safety_factor);
  return settling;
}

}  // namespace cuvier::gpu
