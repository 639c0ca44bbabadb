#include "corpus/recorded_gpus.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/device_json.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

/// In these files each recording is of a session of its own.
RecordingSet read(const EmbeddedFile& file) {
  RecordingSet set;
  int number = 0;
  for (std::string_view rest = file.text; !rest.empty();) {
    const std::string where = fmt::format("corpus/{}.jsonl:{}", file.name, ++number);
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const Json line = parse_json(rest.substr(0, end), where);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (number > 1) {
      set.recordings.push_back(recording_from_json(line, set.device, where));
    } else {
      set.source = line.at("source");
      set.device = device_from_json(line.at("device"), where, "device");
    }
  }
  return set;
}

}  // namespace

const std::vector<RecordingSet>& recorded_gpus() {
  static const std::vector<RecordingSet> sets = [] {
    std::vector<RecordingSet> result;
    for (const EmbeddedFile& file : embedded_recordings()) result.push_back(read(file));
    return result;
  }();
  return sets;
}

}  // namespace cuvier
