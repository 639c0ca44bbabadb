#include "reports/validation_json.h"

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"
#include "reports/minimised_json.h"
#include "reports/mismatch_json.h"
#include "reports/words.h"

namespace cuvier {
namespace {

Json smallest_json(const SmallestContradiction& smallest) {
  Json json = minimised_json(smallest.minimised, smallest.before);
  json["one_minimal"] = smallest.unfinished.empty();
  if (!smallest.unfinished.empty()) json["unfinished"] = smallest.unfinished;
  json["with_previous"] = smallest.with_previous;
  json["asked_again"] = smallest.asked_again;
  json["disagreed_again"] = smallest.disagreed_again;
  json["mismatches"] = Json::array();
  for (const Mismatch& wrong : smallest.wrong) json["mismatches"].push_back(mismatch_json(wrong));
  return json;
}

}  // namespace

nlohmann::ordered_json validation_json(const Validation& validation) {
  const int wrong = static_cast<int>(validation.contradictions.size());
  Json json = {{"agrees", wrong == 0},
               {"oracle", validation.oracle},
               {"device", to_json(validation.device)},
               {"mechanism", to_json(validation.model)},
               {"sequences", validation.asked()},
               {"wanted", validation.wanted},
               {"wrong", wrong},
               {"unsettled", validation.unsettled()},
               {"refused", validation.refused()},
               {"confidence", kConfidence},
               {"most_disagreement", most_disagreement(wrong, validation.asked())},
               {"sessions", validation.sessions},
               {"seed", validation.seed},
               {"seconds", rounded_seconds(validation.seconds)}};
  for (const Validation::Tally& tally : validation.tallies) {
    json["generators"][std::string(tally.generator)] = {{"asked", tally.asked},
                                                        {"wrong", tally.wrong},
                                                        {"unsettled", tally.unsettled},
                                                        {"refused", tally.refused}};
  }
  json["refusals"] = validation.refusals;
  json["contradictions"] = Json::array();
  for (const Contradiction& contradiction : validation.contradictions) {
    Json row = mismatch_json(contradiction.first);
    row["generator"] = contradiction.generator;
    row["facts_wrong"] = contradiction.facts_wrong;
    json["contradictions"].push_back(std::move(row));
  }
  if (validation.smallest) json["smallest"] = smallest_json(*validation.smallest);
  if (!validation.not_minimised.empty()) json["not_minimised"] = validation.not_minimised;
  return json;
}

}  // namespace cuvier
