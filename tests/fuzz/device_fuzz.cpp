// A device file: what is read is written alike, and can be asked about.

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  static const samples::Folder folder;
  const std::string file = folder.write("device.json", std::string(fuzz::text_of(data, size)));
  return fuzz::takes_or_refuses([&] {
    const Device device = find_device(file);
    fuzz::expect(device_from_json(parse_json(to_json(device).dump(), "again"), "again") == device);
    Assumptions::all(device);
    const Probe probe = samples::probe();
    validate(probe, device, "probe");
    predict(device, {}, probe);
  });
}
