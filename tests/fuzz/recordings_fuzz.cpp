// A file of recordings: what is read is written alike, and can be predicted and compared.

#include "hypotheses/simulator.h"
#include "probes/initial_observation.h"
#include "probes/json_fields.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  const fuzz::InputFile file(fuzz::text_of(data, size));
  return fuzz::takes_or_refuses([&] {
    const RecordingSet set = read_recordings(file.path());
    Simulator simulator(set.device, {});
    for (const Recording& recording : set.recordings) {
      if (recording.opening) {
        const Json opening = parse_json(to_json(*recording.opening).dump(), "opening");
        fuzz::expect(opening_from_json(opening, set.device, "opening") == *recording.opening);
      }
      const Json again = parse_json(to_json(recording).dump(), "again");
      fuzz::expect(recording_from_json(again, set.device, "again").facts == recording.facts);
      const Observation predicted = simulator.replay(recording);
      for (const Fact& fact : recording.facts) agrees(fact, predicted, recording.probe);
    }
  });
}
