// A journal, torn as it may be: what is opened is gone on with, and nothing is lost.

#include "corpus/store.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  static const samples::Folder folder;
  static const Recording another{
      samples::probe(), facts_of(samples::observation(), samples::probe()), true, {}};
  folder.write("journal.jsonl", std::string(fuzz::text_of(data, size)));
  return fuzz::takes_or_refuses([&] {
    Journal journal(folder.path(""), samples::device(), "fuzz");
    journal.append(another);
    const RecordingSet set = read_recordings(journal.path());
    fuzz::expect(set.recordings.size() == journal.recorded().recordings.size() + 1);
    fuzz::expect(set.recordings.back().facts == another.facts);
  });
}
