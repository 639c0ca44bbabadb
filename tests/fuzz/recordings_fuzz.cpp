// A file of recordings: what is read is written alike, and can be predicted and compared.

#include "hypotheses/prediction.h"
#include "probes/json_fields.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  const fuzz::InputFile file(fuzz::text_of(data, size));
  return fuzz::takes_or_refuses([&] {
    const RecordingSet set = read_recordings(file.path());
    for (const Recording& recording : set.recordings) {
      const Json again = parse_json(to_json(recording).dump(), "again");
      fuzz::expect(recording_from_json(again, set.device, "again").facts == recording.facts);
      const Observation predicted = predict(set.device, {}, recording.probe);
      for (const Fact& fact : recording.facts) agrees(fact, predicted, recording.probe);
    }
  });
}
