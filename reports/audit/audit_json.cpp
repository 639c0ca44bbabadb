#include <fmt/format.h>

#include "probes/json_fields.h"
#include "probes/named.h"
#include "reports/audit/audit_report.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/words.h"
#include "reports/finding/model_json.h"

namespace cuvier {
namespace {

Json evidence_json(const Evidence& evidence) {
  Json json = {{"recordings", Json::array()},
               {"smallest", evidence.smallest},
               {"other_clashes", evidence.others},
               {"counted_up_to", evidence.most_counted}};
  for (const Session& session : evidence.sessions) {
    for (const Recording& recording : session) {
      Json facts = Json::array();
      for (const Fact& fact : recording.facts) facts.push_back(to_json(fact, recording.probe));
      json["recordings"].push_back(
          {{"name", recording.name()}, {"where", recording.where}, {"facts", std::move(facts)}});
    }
  }
  return json;
}

Json refutation_summary(const Refutation& refutation) {
  Json json = mismatch_json(refutation.mismatch);
  json["facts_wrong"] = refutation.facts_wrong;
  return json;
}

Json difference_json(const Comparison& comparison) {
  Json json = {{"result", result_of(comparison)}};
  if (comparison.distinction) json["probe"] = to_json(comparison.distinction->probe);
  if (comparison.proof) json["claim"] = comparison.proof->claim;
  if (!comparison.reason.empty()) json["reason"] = comparison.reason;
  return json;
}

Json axis_json(const AxisAudit& axis) {
  Json json = {{"axis", std::string(axis_info(axis.axis).name)},
               {"value", value_name(axis.axis, axis.assumed)},
               {"support", std::string(name_of(axis.support))}};
  if (axis.contradiction) json["contradiction"] = evidence_json(*axis.contradiction);
  if (axis.refutation) json["refutation"] = refutation_summary(*axis.refutation);
  json["others"] = Json::array();
  for (const OtherValue& other : axis.others) {
    Json row = {{"value", value_name(axis.axis, other.value)}};
    if (other.refutation) row["refutation"] = refutation_summary(*other.refutation);
    if (other.evidence) row["evidence"] = evidence_json(*other.evidence);
    if (other.rival) row["rival"] = to_json(*other.rival);
    row["difference"] = difference_json(other.difference);
    json["others"].push_back(std::move(row));
  }
  return json;
}

}  // namespace

std::string audit_verdict(const Audit& audit) {
  const auto ended_early = [&](const std::string& verdict) {
    return audit.cut_short.empty() ? verdict
                                   : fmt::format("{}; ended early: {}", verdict, audit.cut_short);
  };
  if (audit.refuted) {
    return ended_early(
        fmt::format("refuted: no hypothesis explains all recordings; the best explain all but {}",
                    counted(audit.refuted->left_out.size(), "recording")));
  }
  if (audit.wrong.empty()) {
    return ended_early(fmt::format("the model explains all {}", counted(audit.facts, "fact")));
  }
  const std::string wrong =
      fmt::format("the model is contradicted: it gets {} of {} wrong",
                  counted(audit.wrong.size(), "fact"), count_words(audit.facts));
  if (audit.axes.empty()) return ended_early(wrong);
  return ended_early(fmt::format("{}; {} explain all", wrong,
                                 counted(audit.explaining, "hypothesis", "hypotheses")));
}

std::string_view words_of(Support support) {
  return named(support, {"supported", "supported, given the rest", "untested", "contradicted",
                         "ruled out by --assume, not by a fact", "makes no difference",
                         "taken for granted", "undecided"});
}

nlohmann::ordered_json audit_json(const Audit& audit) {
  Json json = {{"verdict", audit_verdict(audit)},
               {"device", audit.device.name},
               {"source", audit.source},
               {"taken_for_granted", audit.taken_for_granted},
               {"recordings", audit.recordings},
               {"facts", audit.facts},
               {"hypotheses", audit.hypotheses},
               {"explaining", audit.explaining},
               {"model", to_json(audit.model)},
               {"mechanism", to_json(audit.mechanism)},
               {"wrong", mismatches_json(audit.wrong)},
               {"seed", audit.seed}};
  if (!audit.mechanism.order.empty()) json["order"] = audit.mechanism.order;
  if (!audit.cut_short.empty()) json["cut_short"] = audit.cut_short;
  if (audit.pattern) json["pattern"] = pattern_json(*audit.pattern);
  if (audit.refuted) {
    Json refuted = {{"clash", evidence_json(audit.refuted->clash)},
                    {"left_out", audit.refuted->left_out},
                    {"equals", audit.refuted->equals},
                    {"wrong", mismatches_json(audit.refuted->wrong)}};
    if (audit.refuted->pattern) refuted["pattern"] = pattern_json(*audit.refuted->pattern);
    json["refuted"] = std::move(refuted);
  }
  json["axes"] = Json::array();
  for (const AxisAudit& axis : audit.axes) json["axes"].push_back(axis_json(axis));
  return json;
}

}  // namespace cuvier
