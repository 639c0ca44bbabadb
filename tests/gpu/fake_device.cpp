#include "tests/gpu/fake_device.h"

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "tests/gpu/mishaps.h"

namespace cuvier::gpu {
namespace {

int capability_of(const Device& device) { return std::stoi(device.architecture.substr(3)); }

/// What a runner finds is known to the mechanism beforehand.
Device fake_device() {
  Device device = find_device(setting("CUVIER_FAKE_GPU", "h200"));
  if (capability_of(device) < first_with_clusters) return device;
  device.gpc_of_sm.clear();
  for (int sm = 0; sm < device.sms; ++sm) device.gpc_of_sm.push_back(gpc_of(sm));
  return device;
}

}  // namespace

Manners& manners() {
  static Manners& all = *new Manners(setting("CUVIER_FAKE_UNKIND", ""),
                                     std::stoull(setting("CUVIER_FAKE_SEED", "1")));
  return all;
}

FakeGpu& fake() {
  // Its thread runs until the end.
  static FakeGpu& gpu = *new FakeGpu(
      fake_device(), hypothesis_from_text(setting("CUVIER_FAKE_MECHANISM", "algorithm-1")),
      manners());
  return gpu;
}

int capability() { return capability_of(fake().device()); }

}  // namespace cuvier::gpu
