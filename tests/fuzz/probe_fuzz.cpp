// A probe file: what is read is written alike, and what is legal can be predicted.

#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  static const Device device = [] {
    Device four = samples::device();
    four.max_cluster = 2;
    four.gpc_of_sm = {0, 0, 1, 1};
    return four;
  }();
  return fuzz::takes_or_refuses([&] {
    const Probe probe = probe_from_json(parse_json(fuzz::text_of(data, size), "probe"), "probe");
    fuzz::expect(probe_from_json(parse_json(to_json(probe).dump(), "again"), "again") == probe);
    validate(probe, device, "probe");
    const Observation seen = predict(device, {}, probe);
    fuzz::expect(observation_from_json(to_json(seen, probe), probe, device, "again") == seen);
  });
}
