#include "probes/gpu/shared_configs.h"

#include <ostream>
#include <set>

#include "probes/error.h"
#include "probes/fact.h"
#include "probes/gpu/failure.h"
#include "probes/json_fields.h"

namespace cuvier::gpu {
namespace {

std::vector<Fact> configs_of(const Observation& observation) {
  std::vector<Fact> facts;
  for (const Step& step : observation.steps) {
    for (const auto& [kernel, bytes] : step.shared_config) {
      facts.push_back({Fact::Kind::shared_config, -1, kernel, {bytes}, {}});
    }
  }
  return facts;
}

}  // namespace

void write_shared_configs(RunnerDevice& device, const std::string& source, const std::string& path,
                          const Patience& patience, std::ostream& out, std::ostream& log) {
  const RecordingSet asked = read_recordings(path);
  const Json head = {{"type", "device"},
                     {"source", source},
                     {"session", true},
                     {"device", to_json(device.facts())}};
  out << head.dump() << std::endl;
  std::set<std::string> done;
  for (const Recording& recording : asked.recordings) {
    if (!done.insert(to_json(recording.probe).dump()).second) continue;
    try {
      validate(recording.probe, device.facts(), recording.where);
      const std::vector<Fact> facts = configs_of(run_probe(device, recording.probe, patience));
      if (facts.empty()) {
        log << "cuvier-gpu: " << recording.where << ": CUPTI's records are not complete\n";
      } else {
        out << to_json(Recording{recording.probe, facts, false, {}}).dump() << std::endl;
      }
    } catch (const Error& error) {
      log << "cuvier-gpu: " << error.what() << '\n';
    } catch (const Failure& failure) {
      if (failure.code() == FailureCode::device_lost) throw;
      log << "cuvier-gpu: " << recording.where << ": " << failure.what() << '\n';
    }
  }
}

}  // namespace cuvier::gpu
