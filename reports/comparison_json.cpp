#include "reports/comparison_json.h"

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"
#include "reports/comparison_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

Json mechanism_json(const Hypothesis& hypothesis) {
  Json json = {{"mechanism", to_json(hypothesis)}};
  if (!hypothesis.order.empty()) json["order"] = hypothesis.order;
  return json;
}

Json parting_json(const Parting& parting, const Probe& probe) {
  Json json = {{"step", parting.step}, {"kernel", probe.kernels[parting.kernel].name}};
  const auto number_or_null = [](int number) { return number < 0 ? Json() : Json(number); };
  json["block"] = number_or_null(parting.block);
  json["sm_a"] = number_or_null(parting.sm_a);
  json["sm_b"] = number_or_null(parting.sm_b);
  return json;
}

Json proof_json(const Proof& proof) {
  Json json = {{"claim", proof.claim}, {"argument", proof.argument}, {"lemmas", Json::array()}};
  for (const Lemma& lemma : proof.lemmas) {
    json["lemmas"].push_back({{"name", lemma.name}, {"statement", lemma.statement}});
  }
  return json;
}

}  // namespace

std::string result_of(const Comparison& comparison) {
  const bool open = comparison.kind == Comparison::Kind::not_distinguished;
  return open ? "alike" : std::string(name_of(comparison.kind));
}

nlohmann::ordered_json comparison_json(const Comparison& comparison, const Device& device,
                                       const Hypothesis& a, const Hypothesis& b) {
  Json json = {{"result", result_of(comparison)},
               {"device", device.name},
               {"a", mechanism_json(a)},
               {"b", mechanism_json(b)}};
  if (comparison.distinction) {
    const Distinction& distinction = *comparison.distinction;
    json["probe"] = to_json(distinction.probe);
    json["found_by"] = distinction.why;
    json["parting"] = parting_json(distinction.parting, distinction.probe);
    json["observation_a"] = to_json(distinction.a, distinction.probe);
    json["observation_b"] = to_json(distinction.b, distinction.probe);
    if (const auto& likelihood = distinction.likelihood) {
      json["likelihood"] = {{"drawn", likelihood->drawn},
                            {"excludes_b", likelihood->excludes_b},
                            {"excludes_a", likelihood->excludes_a}};
    }
  }
  if (comparison.proof) json["proof"] = proof_json(*comparison.proof);
  if (!comparison.reason.empty()) json["reason"] = comparison.reason;
  json["seconds"] = rounded_seconds(comparison.seconds);
  return json;
}

}  // namespace cuvier
