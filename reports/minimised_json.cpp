#include "reports/minimised_json.h"

#include "probes/json_fields.h"
#include "probes/opening.h"
#include "reports/mismatch_json.h"

namespace cuvier {
namespace {

Json size_json(const Probe& probe) {
  const ProbeSize size = size_of(probe);
  return {{"kernels", size.kernels}, {"actions", size.actions}, {"blocks", size.blocks}};
}

}  // namespace

nlohmann::ordered_json minimised_json(const Minimised& minimised, const Probe& before) {
  Json json = {{"probe", to_json(minimised.probe)},
               {"size", size_json(minimised.probe)},
               {"before", size_json(before)}};
  if (!minimised.cut_short.empty()) {
    json["cut_short"] = minimised.cut_short;
    return json;
  }
  json["one_minimal"] = true;
  json["probes_tried"] = minimised.judged;
  return json;
}

nlohmann::ordered_json refutation_json(const Refutation& refutation) {
  Json json = mismatch_json(refutation.mismatch);
  json["facts"] = {
      {"needed", 1}, {"wrong", refutation.facts_wrong}, {"all", refutation.facts_before}};
  if (!refutation.cut_short.empty()) json["cut_short"] = refutation.cut_short;
  json["recordings"] = Json::array();
  for (const Recording& recording : refutation.set.recordings) {
    if (recording.opening) json["recordings"].push_back(to_json(*recording.opening));
    json["recordings"].push_back(to_json(recording));
  }
  return json;
}

std::string recording_lines(const RecordingSet& set) {
  const Json head = {{"type", "device"},
                     {"source", set.source},
                     {"session", set.recordings.size() > 1},
                     {"device", to_json(set.device)}};
  std::string lines = head.dump() + '\n';
  for (const Recording& recording : set.recordings) {
    if (recording.opening) lines += to_json(*recording.opening).dump() + '\n';
    lines += to_json(recording).dump() + '\n';
  }
  return lines;
}

}  // namespace cuvier
