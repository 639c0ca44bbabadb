#include "reports/placements/placements_csv.h"

#include <fmt/format.h>

#include <map>

namespace cuvier {

std::string placements_csv(const RecordingSet& set) {
  std::string text = "probe,step,kernel,block,sm\n";
  for (const Recording& recording : set.recordings) {
    // Blocks start in the order of their numbers. Once it is not known how many did, no more is.
    std::map<int, int> started;
    std::map<int, bool> lost;
    for (const Fact& fact : recording.facts) {
      const bool counts = fact.kind == Fact::Kind::started || fact.kind == Fact::Kind::sm_set;
      const std::string& kernel = recording.probe.kernels[fact.kernel].name;
      if (counts && !(fact.kind == Fact::Kind::started && fact.values[0] == 0)) {
        lost[fact.kernel] = true;
      }
      if (fact.kind != Fact::Kind::sm || lost[fact.kernel]) continue;
      for (const int sm : fact.values) {
        text += fmt::format("{},{},{},{},{}\n", recording.name(), fact.step, kernel,
                            started[fact.kernel]++, sm);
      }
    }
  }
  return text;
}

}  // namespace cuvier
