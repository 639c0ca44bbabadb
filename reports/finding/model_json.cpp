#include "reports/finding/model_json.h"

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"

namespace cuvier {
namespace {

constexpr int schema = 1;

Json surviving_json(const SurvivingValues& surviving) {
  Json json = Json::object();
  for (int axis = 0; axis < kAxes; ++axis) {
    json[std::string(axis_info(axis).name)] = value_list(axis, surviving[axis]);
  }
  return json;
}

/// What was considered of each axis of which that is not all that the device permits.
Json assumed_json(const Finding& finding) {
  Json json = Json::array();
  if (finding.assumed) json = finding.assumed->restrictions(finding.device);
  return json;
}

/// Of the axes with more than one value left, why that is.
Json classes_json(const Finding& finding) {
  Json json = Json::object();
  for (int axis = 0; axis < kAxes; ++axis) {
    if (finding.surviving[axis].size() < 2) continue;
    json[std::string(axis_info(axis).name)] =
        !finding.open[axis]                      ? "any value: without effect under the others"
        : finding.verdict == Verdict::identified ? "any value: proved equivalent"
                                                 : "open";
  }
  return json;
}

std::string_view whose_words(Whose whose) {
  switch (whose) {
    case Whose::kernel:
      return "the kernel";
    case Whose::launched:
      return "a kernel launched by then";
    case Whose::ahead:
      return "the kernel ahead in its stream";
    case Whose::moment:
      break;
  }
  return "the moment";
}

Json confirmed_json(const Confirmed& confirmed) {
  Json json = {{"probes", confirmed.probes},
               {"sessions", confirmed.sessions},
               {"limits", confirmed.limits},
               {"pairs", confirmed.pairs},
               {"all_pairs", confirmed.pairs + confirmed.apart.size()},
               {"special_cases", confirmed.special_cases},
               {"special_cases_shown", confirmed.special_cases_shown}};
  Json& apart = json["apart"] = Json::object();
  for (const auto& [a, b] : confirmed.apart) {
    apart[std::string(a.feature)][std::string(a.name)][std::string(b.feature)].push_back(b.name);
  }
  Json& launches = json["launches"];
  for (const CoveredFeature& feature : confirmed.features) {
    for (const auto& [name, count] : feature.classes) {
      launches[std::string(feature.name)][std::string(name)] = count;
    }
  }
  return json;
}

Json maps_json(const std::vector<OtherMap>& maps) {
  Json json = Json::array();
  for (const OtherMap& map : maps) {
    Json& each = json.emplace_back();
    if (!map.device.gpc_of_sm.empty()) each["gpc_of_sm"] = map.device.gpc_of_sm;
    if (!map.device.tpc_of_sm.empty()) each["tpc_of_sm"] = map.device.tpc_of_sm;
    each["mechanism"] = to_json(map.mechanism);
    each["clusters"] = map.clusters;
    each["carve_outs"] = map.carve_outs;
  }
  return json;
}

/// What comes nearest where nothing explains everything, and every fact that it gets wrong.
Json near_miss_json(const NearMiss& nearest) {
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

void expect_schema(Fields& fields) {
  if (fields.integer("schema", {}) == schema) return;
  fields.place("schema").fail("must be {}, the only one that this cuvier reads", schema);
}

}  // namespace

nlohmann::ordered_json model_json(const Finding& finding) {
  Json json = {{"schema", schema},
               {"status", std::string(name_of(finding.verdict))},
               {"reason", finding.reason},
               {"oracle", finding.oracle},
               {"device", to_json(finding.device)},
               {"assumed", assumed_json(finding)},
               {"channels", finding.channels},
               {"voted", finding.voted},
               {"mechanism", nullptr}};
  if (finding.mechanism) {
    json["mechanism"] = to_json(*finding.mechanism);
    if (finding.mechanism->get<TieBreak>() == TieBreak::learned) {
      json["order"] = finding.mechanism->order;
    }
  }
  json["surviving"] = surviving_json(finding.surviving);
  Json& open = json["open"];
  open = Json::array();
  for (int axis = 0; axis < kAxes; ++axis) {
    if (finding.open[axis]) open.push_back(std::string(axis_info(axis).name));
  }
  json["classes"] = classes_json(finding);
  json["hypotheses"] = {{"combinations", json_number(finding.count.combinations)},
                        {"initial", json_number(finding.count.initial)},
                        {"remaining", json_number(finding.count.remaining)},
                        {"exact", finding.count.exact}};
  json["probes"] = finding.probes;
  json["runs"] = finding.runs;
  Json& discarded = json["discarded"];
  discarded = Json::array();
  for (const Discarded& each : finding.discarded) {
    discarded.push_back({{"probe", each.probe},
                         {"runs", each.runs},
                         {"discarded", each.discarded},
                         {"reason", each.reason}});
  }
  if (const int fewest = fewest_probes(finding)) {
    json["fewest_probes"] = {{"probes", fewest},
                             {"asked", finding.telling},
                             {"told_bits", told_bits(finding)},
                             {"most_bits", finding.most_bits}};
  }
  if (finding.confirmed) json["confirmed"] = confirmed_json(*finding.confirmed);
  json["seed"] = finding.seed;
  json["seconds"] = rounded_seconds(finding.seconds);
  if (finding.spent.choosing > 0) {
    const Spent& spent = finding.spent;
    json["spent"] = {{"choosing", rounded_seconds(spent.choosing)},
                     {"waiting", rounded_seconds(spent.waiting)},
                     {"pruning", rounded_seconds(spent.pruning)},
                     {"proving", rounded_seconds(spent.proving)}};
  }
  if (finding.verdict == Verdict::refuted) json["clash"] = finding.clash;
  if (finding.nearest) json["nearest"] = near_miss_json(*finding.nearest);
  if (!finding.maps.empty()) json["maps"] = maps_json(finding.maps);
  return json;
}

nlohmann::ordered_json mismatch_json(const Mismatch& mismatch) {
  Json json = {{"recording", mismatch.recording}, {"where", mismatch.where}};
  if (mismatch.fact.step >= 0) json["step"] = mismatch.fact.step;
  json["kernel"] = mismatch.kernel;
  json["seen"] = mismatch.seen;
  json["predicted"] = mismatch.predicted;
  return json;
}

nlohmann::ordered_json mismatches_json(const std::vector<Mismatch>& mismatches) {
  return mapped(mismatches, mismatch_json);
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
  const auto trait_json = [](const Trait& trait) {
    return Json{{"property", trait.property},
                {"of", whose_words(trait.whose)},
                {trait.at_least ? "at_least" : "at_most", trait.threshold}};
  };
  Json json = trait_json(pattern.traits.front());
  if (pattern.traits.size() > 1) json["and"] = trait_json(pattern.traits.back());
  json["wrong"] = pattern.wrong;
  json["right_as_well"] = pattern.right_here;
  json["right"] = pattern.right;
  return json;
}

std::optional<Hypothesis> mechanism_in(const nlohmann::ordered_json& json, const Place& place) {
  const auto found = json.find("mechanism");
  if (found == json.end() || found->is_null()) return std::nullopt;
  Hypothesis hypothesis =
      hypothesis_from_json(*found, place.where(), place.field("mechanism").path());
  if (hypothesis.get<TieBreak>() == TieBreak::learned) {
    Fields fields(json, place);
    hypothesis.order = read_integers(fields.at("order"), fields.place("order"), {});
  }
  return hypothesis;
}

void write_model(const Finding& finding, const std::string& path) {
  write_json(path, model_json(finding), 2);
}

Hypothesis read_model(const std::string& path) {
  const Json json = parse_json(read_file(path), path);
  const Place root(path);
  Fields fields(json, root);
  expect_schema(fields);
  if (fields.at("mechanism").is_null()) {
    root.field("mechanism").fail("is null: no hypothesis explains what this model was made from");
  }
  if (fields.at("mechanism").empty()) {  // a few left out are Algorithm 1's, but who means all?
    root.field("mechanism").fail("names no axis; write the values, or name algorithm-1 instead");
  }
  return *mechanism_in(json, root);
}

Device read_model_device(const std::string& path) {
  const Json json = parse_json(read_file(path), path);
  Fields fields(json, Place(path));
  expect_schema(fields);
  return device_from_json(fields.at("device"), path, "device");
}

nlohmann::ordered_json check_json(const Finding& finding) {
  Json json = model_json(finding);
  json["mismatches"] = mismatches_json(finding.mismatches);
  return json;
}

}  // namespace cuvier
