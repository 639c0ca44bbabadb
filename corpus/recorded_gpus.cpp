#include "corpus/recorded_gpus.h"

#include "probes/fact_format.h"

namespace cuvier {

const std::vector<RecordingSet>& recorded_gpus() {
  static const std::vector<RecordingSet> sets = [] {
    std::vector<RecordingSet> result;
    for (const auto& [name, text] : embedded_recordings()) {
      result.push_back(recordings_from_text(text, "corpus/" + std::string(name) + ".jsonl"));
    }
    return result;
  }();
  return sets;
}

}  // namespace cuvier
