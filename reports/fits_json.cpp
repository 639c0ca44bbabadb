#include "reports/fits_json.h"

#include <nlohmann/json.hpp>

#include "hypotheses/plausible_models.h"
#include "probes/probe_json.h"
#include "reports/fits_text.h"
#include "reports/waits_json.h"
#include "reports/words.h"

namespace cuvier {
namespace {

using Json = nlohmann::ordered_json;

Json order_json(const Order& order, const std::vector<Kernel>& kernels) {
  Json json = Json::array();
  for (const Arrival& arrival : order.arrivals) json.push_back(kernels[arrival.kernel].name);
  return json;
}

/// Of those that arrive while others are placed: how many blocks have a place then.
Json early_json(const Order& order, const std::vector<Kernel>& kernels) {
  Json json = Json::object();
  for (const Arrival& arrival : order.arrivals) {
    if (arrival.after_blocks == Arrival::settled) continue;
    json[kernels[arrival.kernel].name] = arrival.after_blocks;
  }
  return json;
}

/// Of the orders of launches under one model.
const char* name_under_model(Fits::Verdict verdict) {
  return verdict == Fits::Verdict::under_model ? "safe" : verdict_name(verdict);
}

void add_stranding(Json& json, const Order& order, const Hypothesis& hypothesis,
                   const std::vector<Kernel>& kernels) {
  json["order"] = order_json(order, kernels);
  if (!order.is_settled()) json["arrives_after_blocks"] = early_json(order, kernels);
  json["stranded"] = Json::object();
  for (const auto& [kernel, blocks] : order.stranded)
    json["stranded"][kernels[kernel].name] = blocks;
  json["running"] = Json::object();
  for (const Arrival& arrival : order.arrivals) {
    const Kernel& kernel = kernels[arrival.kernel];
    const auto left = order.stranded.find(arrival.kernel);
    json["running"][kernel.name] =
        kernel.blocks - (left == order.stranded.end() ? 0 : left->second);
  }
  const Probe probe{"", kernels, {}};
  json["waits"] = Json::array();
  for (const Wait& wait : order.waits) json["waits"].push_back(to_json(wait, probe));
  json["model"] = model_name(hypothesis);
  if (order.is_settled()) json["probe"] = to_json(probe_of(order, kernels, "stranding"));
}

Json change_json(const Change& change, const std::vector<Kernel>& kernels) {
  Json json = {{"change", change_words(change, kernels)}};
  const auto less = [&](const char* of) {
    json["kernel"] = kernels[change.kernel].name;
    json["of"] = of;
    json["from"] = change.from;
    json["to"] = change.to;
  };
  switch (change.of) {
    case Change::Of::blocks:
      less("blocks");
      break;
    case Change::Of::threads:
      less("threads");
      break;
    case Change::Of::registers:
      less("registers");
      break;
    case Change::Of::shared:
      less("shared");
      break;
    case Change::Of::packing:
      json["kernel"] = kernels[change.kernel].name;
      json["of"] = "packing";
      json["blocks_in_one"] = change.to;
      break;
    case Change::Of::carve_out:
      json["of"] = "carve_out";
      break;
    case Change::Of::order:
      json["of"] = "order";
      json["launch"] = kernels[change.later].name;
      json["once_resident"] = kernels[change.kernel].name;
      break;
    case Change::Of::orders:
      json["of"] = "order";
      for (const int kernel : change.sequence) json["one_by_one"].push_back(kernels[kernel].name);
      break;
  }
  return json;
}

}  // namespace

nlohmann::ordered_json fits_json(const Fits& fits, const std::vector<Change>& changes,
                                 const Device& device, const std::vector<Model>& models,
                                 const std::optional<SurvivorCount>& survivors,
                                 const std::vector<Kernel>& kernels) {
  Json json = {
      {"verdict", verdict_name(fits.verdict)}, {"device", device.name}, {"reason", fits.reason}};
  if (survivors) {
    json["survivors"] = {{"hypotheses", survivors->all},
                         {"safe", survivors->safe},
                         {"behaviours", survivors->behaviours}};
  } else {
    json["models"] = Json::array();
    for (std::size_t i = 0; i < models.size(); ++i) {
      Json& model = json["models"].emplace_back();
      model = {{"model", model_name(models[i].hypothesis)}, {"evidence", models[i].evidence}};
      if (i < fits.asked.size()) model["verdict"] = name_under_model(fits.asked[i].verdict);
    }
  }
  json["launches_predicted"] = fits.launches;
  if (fits.proof && fits.proof->holds()) {
    json["proof"] = {{"claim", fits.proof->claim.sentence},
                     {"answer", "unsat"},
                     {"seconds", rounded_seconds(fits.proof->answer.seconds)}};
  }
  if (!fits.why_not_always.empty()) json["why_not_always"] = fits.why_not_always;
  if (fits.stranding) add_stranding(json, *fits.stranding, fits.hypothesis, kernels);
  if (fits.safe) json["safe_order"] = order_json(*fits.safe, kernels);
  if (!changes.empty()) {
    json["changes"] = Json::array();
    for (const Change& change : changes) json["changes"].push_back(change_json(change, kernels));
  }
  return json;
}

}  // namespace cuvier
