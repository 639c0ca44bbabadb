#include "reports/finding/mismatch_json.h"

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"

namespace cuvier {

nlohmann::ordered_json mismatch_json(const Mismatch& mismatch) {
  Json json = {{"recording", mismatch.recording}, {"where", mismatch.where}};
  if (mismatch.fact.step >= 0) json["step"] = mismatch.fact.step;
  json["kernel"] = mismatch.kernel;
  json["seen"] = mismatch.seen;
  json["predicted"] = mismatch.predicted;
  return json;
}

nlohmann::ordered_json mismatches_json(const std::vector<Mismatch>& mismatches) {
  Json json = Json::array();
  for (const Mismatch& mismatch : mismatches) json.push_back(mismatch_json(mismatch));
  return json;
}

nlohmann::ordered_json wrong_placements_json(const std::vector<Mismatch>& wrong) {
  Json json = Json::array();
  for (const Mismatch& each : wrong) {
    Json row = {{"step", each.fact.step}, {"kernel", each.kernel}};
    if (each.fact.kind == Fact::Kind::sm) {
      row["predicted"] = each.instead.values;
      row["seen"] = each.fact.values;
    } else {
      row["predicted_words"] = each.predicted;
      row["seen_words"] = each.seen;
    }
    json.push_back(std::move(row));
  }
  return json;
}

nlohmann::ordered_json pattern_json(const Pattern& pattern) {
  return {{"property", std::string(pattern.property)},
          {"so_far", pattern.so_far},
          {pattern.at_least ? "at_least" : "at_most", pattern.threshold},
          {"wrong", pattern.wrong},
          {"right_as_well", pattern.right_here},
          {"right", pattern.right}};
}

nlohmann::ordered_json near_miss_json(const NearMiss& nearest) {
  Json json = {{"mechanism", to_json(nearest.hypothesis)},
               {"facts", nearest.facts},
               {"wrong", mismatches_json(nearest.wrong)}};
  if (!nearest.hypothesis.order.empty()) json["order"] = nearest.hypothesis.order;
  if (!nearest.never_used.empty()) json["never_used"] = nearest.never_used;
  if (nearest.pattern) json["pattern"] = pattern_json(*nearest.pattern);
  if (const auto& but_for = nearest.but_for) {
    json["but_for"] = {{"kernels", but_for->kernels},
                       {"deviation", but_for->deviation},
                       {"wrong", but_for->wrong},
                       {"wrong_before", but_for->wrong_before},
                       {"recordings", but_for->recordings}};
  }
  return json;
}

}  // namespace cuvier
