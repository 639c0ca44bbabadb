// On how many SMs do two kernels meet, under Algorithm 1 and as an RTX 3090 was recorded?

#include <fmt/format.h>

#include <set>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"

int main() {
  using namespace cuvier;
  const Device device = find_device("rtx3090");

  Probe probe;
  probe.name = "meeting";
  probe.kernels = {{.name = "first", .blocks = 200, .threads = 256, .registers = 32, .stream = {}},
                   {.name = "second", .blocks = 60, .threads = 512, .registers = 32, .stream = {}}};
  probe.script = {{.launch = 0, .releases = {}}, {.launch = 1, .releases = {}}};
  validate(probe, device, "example");

  for (const char* name : {"algorithm-1", "rtx3090-as-recorded"}) {
    const Observation seen = predict(device, hypothesis_from_text(name), probe);
    std::set<int> first;
    std::set<int> both;
    for (const int sm : seen.steps[0].started.at(0).sm) first.insert(sm);
    for (const int sm : seen.steps[1].started.at(0).sm) {
      if (first.contains(sm)) both.insert(sm);
    }
    fmt::print("{}: they meet on {} of {} SMs\n", name, both.size(), device.sms);
  }
}
