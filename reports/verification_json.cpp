#include "reports/verification_json.h"

#include "probes/json_fields.h"
#include "reports/verification_text.h"

namespace cuvier {
namespace {

const char* name_of(SmtAnswer::Kind kind) {
  switch (kind) {
    case SmtAnswer::Kind::sat:
      return "sat";
    case SmtAnswer::Kind::unsat:
      return "unsat";
    case SmtAnswer::Kind::unknown:
      break;
  }
  return "unknown";
}

}  // namespace

nlohmann::ordered_json verification_json(const Verification& verification) {
  Json json = {{"status", verification_status(verification)},
               {"solvers", verification.solvers},
               {"claims", Json::array()},
               {"claimed", name_of(verification.claimed)},
               {"lemmas", verification.lemmas},
               {"answers", Json::array()}};
  for (const std::string& claim : verification.claims) json["claims"].push_back(claim);
  json["excluded"] = {{"constraints", verification.by_constraints},
                      {"constraints_but_learned_orders", verification.by_both},
                      {"diagrams", verification.by_diagrams},
                      {"last_resorts", verification.last_resorts}};
  json["drawn"] = verification.drawn;
  json["left"] = verification.left;
  for (const Verification::Answer& answer : verification.answers) {
    json["answers"].push_back({{"file", answer.file},
                               {"solver", answer.solver},
                               {"answer", name_of(answer.answer.kind)},
                               {"reason", answer.answer.reason},
                               {"seconds", answer.answer.seconds}});
  }
  json["recordings"] = verification.recordings;
  json["recordings_predicted"] = verification.recordings_predicted;
  json["facts"] = verification.facts;
  json["faults"] = verification.faults;
  json["gave_up"] = verification.gave_up;
  if (!verification.cut_short.empty()) json["cut_short"] = verification.cut_short;
  return json;
}

}  // namespace cuvier
