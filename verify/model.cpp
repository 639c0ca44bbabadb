#include "verify/model.h"

#include <algorithm>

#include "verify/journal.h"

namespace cuvier::verify {

Model read_model(const std::string& path) {
  const Json json = parse_json(read_file(path), path);
  Fields fields(json, path);
  Model model;
  fields.integer("schema", 1, 1);
  model.status = fields.get<std::string>("status");
  const Texts ends = {"identified", "ambiguous", "refuted", "undecided"};
  if (std::ranges::count(ends, model.status) == 0) {
    fields.fail("status", "must be identified, ambiguous, refuted or undecided");
  }
  model.device = device_from(fields.at("device"), fields.place("device"));
  model.assumed = fields.get<Texts>("assumed");
  model.channels = fields.get<Texts>("channels");
  model.voted = fields.get<bool>("voted");
  if (!fields.at("mechanism").is_null()) {
    model.mechanism = fields.get<ByAxis<std::string>>("mechanism");
  }
  if (fields.find("order")) {
    model.order = fields.integers("order", 0, model.device.sms - 1);
    const std::set<int> sms(model.order.begin(), model.order.end());
    if (sms.size() != model.order.size() || static_cast<int>(sms.size()) != model.device.sms) {
      fields.fail("order", "must have each SM once");
    }
  }
  model.surviving = fields.get<ByAxis<Texts>>("surviving");
  model.open = fields.get<Texts>("open");
  model.classes = fields.get<ByAxis<std::string>>("classes");
  Fields hypotheses(fields.at("hypotheses"), fields.place("hypotheses"));
  model.combinations = hypotheses.get<double>("combinations");
  for (const char* told : {"initial", "remaining", "exact"}) {
    hypotheses.at(told);
    model.told.push_back(std::string("hypotheses.") + told);
  }
  hypotheses.nothing_else();
  model.probes = fields.integer("probes", 0, most_in_files);
  model.runs = fields.integer("runs", 0, most_in_files);
  model.discarded = fields.at("discarded");
  for (const char* told : {"reason", "oracle", "seed", "seconds", "spent", "fewest_probes",
                           "confirmed", "nearest", "maps", "clash"}) {
    if (fields.find(told)) model.told.push_back(told);
  }
  fields.nothing_else();
  return model;
}

}  // namespace cuvier::verify
