#include "verify/model.h"

#include <algorithm>

#include "verify/unreadable.h"

namespace cuvier::verify {
namespace {

std::vector<std::string> texts(const Json& json, const std::string& where) {
  std::vector<std::string> texts;
  for (const Json& each : json) {
    if (!json.is_array() || !each.is_string())
      throw Unreadable(where + ": must be a list of texts");
    texts.push_back(each);
  }
  return texts;
}

std::map<std::string, std::string> texts_by_axis(const Json& json, const std::string& where) {
  std::map<std::string, std::string> texts;
  for (const auto& [axis, text] : json.items()) {
    if (!json.is_object() || !text.is_string()) throw Unreadable(where + ": must be texts by axis");
    texts[axis] = text;
  }
  return texts;
}

}  // namespace

Model read_model(const std::string& path) {
  const Json json = parse_json(read_file(path), path);
  Fields fields(json, path);
  constexpr long most = 1000000000;
  Model model;
  fields.integer("schema", 1, 1);
  model.status = fields.text("status");
  const std::vector<std::string> ends = {"identified", "ambiguous", "refuted", "undecided"};
  if (std::ranges::count(ends, model.status) == 0) {
    fields.fail("status", "must be identified, ambiguous, refuted or undecided");
  }
  model.device = device_from(fields.at("device"), fields.place("device"));
  model.assumed = texts(fields.at("assumed"), fields.place("assumed"));
  model.channels = texts(fields.at("channels"), fields.place("channels"));
  model.voted = fields.boolean("voted");
  if (const Json& mechanism = fields.at("mechanism"); !mechanism.is_null()) {
    model.has_mechanism = true;
    model.mechanism = texts_by_axis(mechanism, fields.place("mechanism"));
  }
  if (fields.find("order")) {
    model.order = fields.integers("order", 0, model.device.sms - 1);
    const std::set<int> sms(model.order.begin(), model.order.end());
    if (sms.size() != model.order.size() || static_cast<int>(sms.size()) != model.device.sms) {
      fields.fail("order", "must have each SM once");
    }
  }
  for (const auto& [axis, values] : fields.at("surviving").items()) {
    model.surviving[axis] = texts(values, fields.place("surviving") + '.' + axis);
  }
  model.open = texts(fields.at("open"), fields.place("open"));
  model.classes = texts_by_axis(fields.at("classes"), fields.place("classes"));
  Fields hypotheses(fields.at("hypotheses"), fields.place("hypotheses"));
  const Json& combinations = hypotheses.at("combinations");
  if (!combinations.is_number()) hypotheses.fail("combinations", "must be a number");
  model.combinations = combinations;
  for (const char* told : {"initial", "remaining", "exact"}) {
    hypotheses.at(told);
    model.told.push_back(std::string("hypotheses.") + told);
  }
  hypotheses.nothing_else();
  model.probes = static_cast<int>(fields.integer("probes", 0, most));
  model.runs = static_cast<int>(fields.integer("runs", 0, most));
  model.discarded = fields.at("discarded");
  if (fields.find("clash")) model.clash = texts(fields.at("clash"), fields.place("clash"));
  for (const char* told : {"reason", "oracle", "seed", "seconds", "spent", "fewest_probes",
                           "confirmed", "nearest", "maps"}) {
    if (fields.find(told)) model.told.push_back(told);
  }
  fields.nothing_else();
  return model;
}

}  // namespace cuvier::verify
