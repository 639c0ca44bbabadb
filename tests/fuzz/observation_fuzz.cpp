// One run of a probe, as an oracle tells it: its facts agree with it.

#include "probes/fact.h"
#include "probes/json_fields.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  static const Device device = samples::device();
  static const Probe probe = samples::probe();
  return fuzz::takes_or_refuses([&] {
    const Observation seen =
        observation_from_json(parse_json(fuzz::text_of(data, size), "run"), probe, device, "run");
    fuzz::expect(observation_from_json(to_json(seen, probe), probe, device, "again") == seen);
    for (const Fact& fact : facts_of(seen, probe)) fuzz::expect(agrees(fact, seen, probe));
  });
}
