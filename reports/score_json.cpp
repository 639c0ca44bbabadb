#include "reports/score_json.h"

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

constexpr int schema = 1;

Json value_names(int axis, const std::vector<int>& values) {
  Json names = Json::array();
  for (const int value : values) names.push_back(std::string(axis_info(axis).values[value].name));
  return names;
}

}  // namespace

nlohmann::ordered_json score_json(const Score& score) {
  Json json = {{"schema", schema},        {"simulator", score.simulator},
               {"probes", score.probes},  {"refused", score.refused},
               {"missed", Json::array()}, {"otherwise", Json::array()},
               {"explained_by", nullptr}};
  for (const Missed& miss : score.missed) {
    Json each = {{"probe", miss.probe}, {"facts", miss.facts}, {"gpu", miss.gpu}};
    each["simulator"] = miss.simulator.empty() ? Json(nullptr) : Json(miss.simulator);
    json["missed"].push_back(std::move(each));
  }
  for (const OtherAnswer& other : score.otherwise) {
    json["otherwise"].push_back({{"axis", std::string(axis_info(other.axis).name)},
                                 {"gpu", value_names(other.axis, other.gpu)},
                                 {"simulator", value_names(other.axis, other.simulator)}});
  }
  if (score.cut_off) {
    json["cut_off"] = {{"probe", score.cut_off->probe}, {"blocks", score.cut_off->blocks}};
  }
  if (score.behaviour.mechanism) json["explained_by"] = to_json(*score.behaviour.mechanism);
  return json;
}

}  // namespace cuvier
