// A device file: what is read is written alike, and can be asked about.

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  return fuzz::takes_or_refuses([&] {
    const Device device =
        device_from_json(parse_json(fuzz::text_of(data, size), "device"), "device");
    fuzz::expect(device_from_json(parse_json(to_json(device).dump(), "again"), "again") == device);
    Assumptions::all(device);
    const Probe probe = samples::probe();
    validate(probe, device, "probe");
    predict(device, {}, probe);
  });
}
