#include "tests/samples.h"

#include "probes/json_fields.h"

namespace cuvier::samples {

Device device() { return device_from_json(parse_json(device_text, "device"), "device"); }

Probe probe() { return probe_from_json(parse_json(probe_text, "probe"), "probe"); }

Observation observation() {
  return observation_from_json(parse_json(observation_text, "run"), probe(), device(), "run");
}

Kernel kernel(const std::string& name, int blocks, int threads) {
  Kernel kernel;
  kernel.name = name;
  kernel.blocks = blocks;
  kernel.threads = threads;
  kernel.registers = 32;
  return kernel;
}

}  // namespace cuvier::samples
