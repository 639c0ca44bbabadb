#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hypotheses/plausible_models.h"
#include "probes/json_fields.h"
#include "probes/named.h"
#include "reports/document/words.h"
#include "reports/placements/placements_report.h"
#include "reports/uses/fits_words.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

std::string_view words_under_model(Fits::Verdict verdict) {
  return named(verdict, {"safe", "safe", "strands blocks in some order",
                         "strands blocks in every order", "undecided"});
}

/// What each of several models says, and what is known for and against it.
Section models_section(const Fits& fits, const std::vector<Model>& models) {
  Table table{"The models", {"model", "verdict", "evidence for it"}};
  bool agree = true;
  for (std::size_t i = 0; i < fits.asked.size(); ++i) {
    const auto verdict = fits.asked[i].verdict;
    agree = agree && verdict == fits.asked.front().verdict;
    table.add({model_name(models[i].hypothesis), words_under_model(verdict), models[i].evidence});
  }
  return {agree ? "All of these models agree" : "The models part", {std::move(table)}};
}

std::string headline(const Fits& fits, const Device& device) {
  switch (fits.verdict) {
    case Fits::Verdict::always:
      return fmt::format("safe on {}, whatever the order and whatever the scheduler's choices",
                         device.name);
    case Fits::Verdict::under_model:
      return fmt::format("safe on {} under {}, whatever the order of launches", device.name,
                         fits.asked.size() == 1 ? "the model" : "each model");
    case Fits::Verdict::unsafe:
      return fmt::format("not safe on {}: an order of launches strands blocks", device.name);
    case Fits::Verdict::never:
      return fmt::format("never all resident on {}, in whatever order", device.name);
    case Fits::Verdict::undecided:
      break;
  }
  return "undecided";
}

/// "20 blocks of comm and 4 reserved SMs, wherever they are".
std::string others_words(const Others& others) {
  std::vector<std::string> parts;
  for (const Kernel& kernel : others.resident) {
    parts.push_back(fmt::format("{} of {}", counted(kernel.blocks, "block"), kernel.name));
  }
  const auto& [count, sms] = others.reserved;
  if (count > 0) {
    parts.push_back(
        fmt::format("{} {}", count_words(count), count == 1 ? "reserved SM" : "reserved SMs"));
    if (!sms.empty()) parts.back() += fmt::format(" (SM {})", runs_words(sms));
  }
  return fmt::format("{}{}", fmt::join(parts, " and "),
                     others.resident.empty() && !sms.empty() ? "" : ", wherever they are");
}

/// By kernel that is resident: the SM of each of its blocks.
std::vector<std::vector<int>> sms_of(const Beside& beside) {
  std::vector<std::vector<int>> sms(beside.resident.size());
  for (const Beside::Block& block : beside.blocks) sms[block.kernel].push_back(block.sm);
  return sms;
}

/// Cooperative launches that do not fail, though they may wait for ever.
std::string accepted_launches(const Fits& fits, const KernelSet& set) {
  if (!fits.stranding || !fits.refused.empty()) return {};
  std::vector<std::string> names;
  for (const int k : set.launching.cooperative) names.push_back(set.kernels[k].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The kernels that waits speak of.
Probe probe_of_waits(const std::vector<Kernel>& kernels, const Beside& beside) {
  Probe probe{"", kernels, {}};
  probe.kernels.insert(probe.kernels.end(), beside.resident.begin(), beside.resident.end());
  return probe;
}

Section stranding_section(const Fits& fits, const std::vector<Kernel>& kernels) {
  const Order& order = *fits.stranding;
  Section section{"What strands", {}};
  const auto sms = sms_of(fits.beside);
  for (std::size_t k = 0; k < sms.size(); ++k) {
    std::vector<int> some = sms[k];
    std::ranges::sort(some);
    const auto [same, end] = std::ranges::unique(some);
    some.erase(same, end);
    section.say("Where {} of {} {} on SM {}.", counted(sms[k].size(), "block"),
                fits.beside.resident[k].name, sms[k].size() == 1 ? "is" : "are", runs_words(some));
  }
  if (!fits.beside.reserved_sms.empty()) {
    section.say("Where SM {} are reserved.", runs_words(fits.beside.reserved_sms));
  }
  section.say("Launched in this order: {} (under {}).", arrival_words(order, kernels),
              model_name(fits.hypothesis));
  if (!fits.is_smallest) {
    section.say(
        "A shorter one may be among the orders that were not looked at: they are too many.");
  }
  List waits;
  for (const Wait& wait : order.waits) {
    const Kernel& kernel = kernels[wait.kernel];
    waits.add(fmt::format("{}: {} of {} run, {} for {}", kernel.name,
                          count_words(kernel.blocks - wait.blocks), counted(kernel.blocks, "block"),
                          wait.blocks == 1 ? "1 waits" : count_words(wait.blocks) + " wait",
                          wait_words(wait, probe_of_waits(kernels, fits.beside))));
  }
  section.add(std::move(waits));
  return section;
}

/// Kernels as they arrive; of those that do while others are placed, how many blocks have a place
/// then; and of those that end, how many have arrived then. `more` begins the last two's names.
void add_order(Json& json, const char* name, const std::string& more, const Order& order,
               const std::vector<Kernel>& kernels) {
  Json arrive = Json::array();
  Json early = Json::object();
  Json ends = Json::object();
  for (const Arrival& arrival : order.arrivals) {
    const std::string& kernel = kernels[arrival.kernel].name;
    if (arrival.after_blocks != Arrival::settled) early[kernel] = arrival.after_blocks;
    if (arrival.ends) {
      ends[kernel] = arrive.size();
    } else {
      arrive.push_back(kernel);
    }
  }
  json[name] = arrive;
  if (!order.is_settled()) json[more + "arrives_after_blocks"] = early;
  if (!ends.empty()) json[more + "ends"] = ends;
}

/// Of the orders of launches under one model.
std::string_view name_under_model(Fits::Verdict verdict) {
  return verdict == Fits::Verdict::under_model ? "safe" : verdict_name(verdict);
}

void add_stranding(Json& json, const Fits& fits, const std::vector<Kernel>& kernels) {
  const Order& order = *fits.stranding;
  add_order(json, "order", "", order, kernels);
  json["stranded"] = Json::object();
  for (const auto& [kernel, blocks] : order.stranded)
    json["stranded"][kernels[kernel].name] = blocks;
  json["running"] = Json::object();
  for (const Arrival& arrival : order.arrivals) {
    const Kernel& kernel = kernels[arrival.kernel];
    if (json.contains("ends") && json["ends"].contains(kernel.name)) continue;
    const auto left = order.stranded.find(arrival.kernel);
    json["running"][kernel.name] =
        kernel.blocks - (left == order.stranded.end() ? 0 : left->second);
  }
  const auto sms = sms_of(fits.beside);
  for (std::size_t k = 0; k < sms.size(); ++k) {
    json["resident_on"][fits.beside.resident[k].name] = sms[k];
  }
  if (!fits.beside.reserved_sms.empty()) json["reserved_sms"] = fits.beside.reserved_sms;
  const Probe probe = probe_of_waits(kernels, fits.beside);
  json["waits"] = Json::array();
  for (const Wait& wait : order.waits) json["waits"].push_back(to_json(wait, probe));
  json["model"] = model_name(fits.hypothesis);
  if (is_a_probe(fits)) json["probe"] = to_json(probe_of(order, kernels, "stranding"));
}

Json change_json(const Change& change, const std::vector<Kernel>& kernels) {
  const std::string& kernel = kernels[change.kernel].name;
  Json json = {{"change", change_words(change, kernels)}};
  if (change.of <= Change::Of::packing) json["kernel"] = kernel;  // it is of this one
  json["of"] = named(change.of, {"blocks", "threads", "registers", "shared", "packing", "carve_out",
                                 "order", "order"});
  switch (change.of) {
    case Change::Of::packing:
      json["blocks_in_one"] = change.to;
      break;
    case Change::Of::carve_out:
      break;
    case Change::Of::order:
      json["launch"] = kernels[change.later].name;
      json["once_resident"] = kernel;
      break;
    case Change::Of::orders:
      for (const int each : change.sequence) json["one_by_one"].push_back(kernels[each].name);
      break;
    default:
      json["from"] = change.from;
      json["to"] = change.to;
      if (change.with_carve_out) json["carve_out"] = "largest";
      break;
  }
  return json;
}

}  // namespace

Page fits_page(const Fits& fits, const std::vector<Change>& changes, const Device& device,
               const std::vector<Model>& models, const std::optional<SurvivorCount>& survivors,
               const KernelSet& set) {
  const std::vector<Kernel>& kernels = set.kernels;
  Page page;
  page.verdict = headline(fits, device);
  Section rests_on;
  // That an order of launches strands blocks is the verdict.
  if (fits.verdict != Fits::Verdict::unsafe) rests_on.add(Text(fits.reason + "."));
  if (fits.proof && fits.proof->holds()) {
    rests_on.say("Proved by Z3 in {} (--smt2 FILE writes the query, whose answer is unsat).",
                 duration_words(fits.proof->answer.seconds));
  }
  if (!set.others.none()) rests_on.say("Beside {}.", others_words(set.others));
  const std::string accepted = accepted_launches(fits, set);
  if (!accepted.empty()) {
    rests_on.say(
        "The driver accepts the cooperative launch of {}: it looks whether that fits alone, and at "
        "nothing else that is there.",
        accepted);
  }
  const bool of_several = fits.asked.size() > 1 && !survivors;
  if (fits.launches > 0) {
    rests_on.say("{} predicted under {}.", counted(fits.launches, "launch was", "launches were"),
                 survivors    ? counted(survivors->behaviours, "behaviour")
                 : of_several ? fmt::format("{} models", fits.asked.size())
                              : model_words(models.front()));
  }
  if (survivors) {
    rests_on.say("{} left by the inference, {} of them known to be safe.",
                 counted(survivors->all, "hypothesis is", "hypotheses are"),
                 count_words(survivors->safe));
  }
  const bool is_open =
      fits.verdict == Fits::Verdict::under_model || fits.verdict == Fits::Verdict::undecided;
  if (is_open && !fits.why_not_always.empty()) {
    rests_on.add(Text("Not proved for every scheduler: " + fits.why_not_always + "."));
  }
  page.add(std::move(rests_on));
  if (fits.launches > 0 && of_several) page.add(models_section(fits, models));
  if (fits.stranding) page.add(stranding_section(fits, kernels));
  if (!changes.empty()) {
    List list;
    for (const Change& change : changes) list.add(change_words(change, kernels));
    page.add({fmt::format("Any one of these makes it safe{}",
                          !set.others.none() ? ", proved for every scheduler"
                          : survivors        ? " under the hypotheses looked at"
                          : of_several       ? " under each model"
                                             : " under the model"),
              {std::move(list)}});
  } else if (fits.verdict == Fits::Verdict::unsafe || fits.verdict == Fits::Verdict::never) {
    page.add({"What would make it safe",
              {Text("No change of one kernel was found that does, nor an order.")}});
  }
  return page;
}

nlohmann::ordered_json fits_json(const Fits& fits, const std::vector<Change>& changes,
                                 const Device& device, const std::vector<Model>& models,
                                 const std::optional<SurvivorCount>& survivors,
                                 const KernelSet& set) {
  const std::vector<Kernel>& kernels = set.kernels;
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
  for (const int k : fits.refused) json["refused"].push_back(kernels[k].name);
  if (fits.proof && fits.proof->holds()) {
    json["proof"] = {{"claim", fits.proof->claim.statement},
                     {"answer", "unsat"},
                     {"seconds", rounded_seconds(fits.proof->answer.seconds)}};
  }
  if (!fits.why_not_always.empty()) json["why_not_always"] = fits.why_not_always;
  if (fits.stranding) add_stranding(json, fits, kernels);
  if (fits.safe) add_order(json, "safe_order", "safe_order_", *fits.safe, kernels);
  if (!changes.empty()) {
    json["changes"] = Json::array();
    for (const Change& change : changes) json["changes"].push_back(change_json(change, kernels));
  }
  return json;
}

}  // namespace cuvier
