#include "cli/recordings_argument.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

void expect_same_device(const RecordingSet& first, const std::string& first_path,
                        const RecordingSet& other, const std::string& path) {
  const Json ours = to_json(first.device);
  const Json theirs = to_json(other.device);
  for (const Json& fields : {ours, theirs}) {
    for (const auto& [name, value] : fields.items()) {
      if (ours.contains(name) && theirs.contains(name) && ours[name] == theirs[name]) continue;
      throw Error(fmt::format("{}: is of another device than {}: {} differs; check them apart",
                              path, first_path, name));
    }
  }
}

/// A file in which no clusters ran does not say that there are none.
void share_clusters(std::vector<RecordingSet>& sets) {
  int largest = 0;
  for (const RecordingSet& set : sets) largest = std::max(largest, set.device.max_cluster);
  for (RecordingSet& set : sets) set.device.max_cluster = largest;
}

}  // namespace

std::vector<RecordingSet> read_sets(const std::vector<std::string>& paths) {
  std::vector<RecordingSet> sets;
  for (const std::string& path : paths) {
    sets.push_back(read_recordings(path));
    share_clusters(sets);
    expect_same_device(sets.front(), paths.front(), sets.back(), path);
  }
  return sets;
}

}  // namespace cuvier
