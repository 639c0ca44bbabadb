#include "reports/model/model_facts.h"

#include "hypotheses/assumptions.h"
#include "hypotheses/readings/single_reading.h"
#include "hypotheses/scheduler/groups.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

constexpr int schema = 1;  // that of model files, among which it is

Json meanings(const Hypothesis& hypothesis) {
  Json json = Json::object();
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    const AxisValue& value = axis_value(axis, hypothesis.values[axis]);
    json[std::string(info.name)] = {{"asks", std::string(info.meaning)},
                                    {"answer", std::string(value.meaning)},
                                    {"matters", matters(axis, hypothesis)}};
  }
  return json;
}

}  // namespace

nlohmann::ordered_json model_facts(const Device& device, const Hypothesis& hypothesis) {
  const std::vector<int> ranks = SingleReading(device, hypothesis).sm_ranks();
  Json json = {{"schema", schema},
               {"model", describe(canonical(hypothesis))},
               {"device", to_json(device)},
               {"mechanism", to_json(hypothesis)},
               {"order", ranks_of(ranks)},  // the inverse of the inverse
               {"tpcs", groups_of(device, Hierarchy::tpc)}};
  if (!device.gpc_of_sm.empty()) json["gpcs"] = groups_of(device, Hierarchy::gpc);
  json["largest_cluster"] = device.largest_cluster();
  json["meanings"] = meanings(hypothesis);
  return json;
}

}  // namespace cuvier
