#include "reports/certificate/claimed_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "probes/device_json.h"
#include "probes/error.h"
#include "probes/format.h"
#include "reports/document/json_text.h"
#include "reports/finding/model_json.h"

namespace cuvier {
namespace {

/// What a model says of anything but its recordings, or in words for people: how it was asked and
/// how long that took, why it ended, what comes nearest, which recordings clash and which other
/// maps of the device would explain more.
constexpr std::array<std::string_view, 13> kToldOnly = {
    "reason",    "oracle", "runs",  "discarded", "fewest_probes", "seed",  "seconds",
    "confirmed", "spent",  "clash", "nearest",   "maps",          "status"};

const Word<Verdict, 4> verdicts{{name_of(Verdict::identified), name_of(Verdict::ambiguous),
                                 name_of(Verdict::refuted), name_of(Verdict::undecided)}};

std::vector<std::string> read_texts(Fields& fields, std::string_view name) {
  return ListOf{String()}.read(fields.at(name), fields.place(name));
}

/// What is told to people, who have it from the JSON as it is.
void expect_told(Fields& fields) {
  for (const char* name : {"reason", "oracle"}) fields.text(name);
  fields.integer("probes", {});
  read_texts(fields, "open");
  Fields count(fields.at("hypotheses"), fields.place("hypotheses"));
  for (const char* name : {"initial", "remaining"}) read_number(count.at(name), count.place(name));
  expect_array(fields.at("discarded"), fields.place("discarded"));
  for (std::size_t i = 0; i < fields.at("discarded").size(); ++i) {
    Fields each(fields.at("discarded")[i], fields.place("discarded").item(i));
    for (const char* name : {"probe", "reason"}) each.text(name);
    for (const char* name : {"runs", "discarded"}) each.integer(name, {});
  }
  if (fields.has("fewest_probes")) {
    Fields(fields.at("fewest_probes"), fields.place("fewest_probes")).integer("asked", {});
  }
  if (!fields.has("confirmed")) return;
  Fields confirmed(fields.at("confirmed"), fields.place("confirmed"));
  const Place launches = confirmed.place("launches");
  expect_object(confirmed.at("launches"), launches);
  for (const auto& [feature, kinds] : confirmed.at("launches").items()) {
    expect_object(kinds, launches.field(feature));
    for (const auto& [kind, count_of_kind] : kinds.items()) {
      read_integer(count_of_kind, launches.field(feature).field(kind), {});
    }
  }
}

std::string shown(const Json& json) { return in_quotes(json_text(json)); }

}  // namespace

ClaimedModel read_claimed_model(const std::string& path) {
  ClaimedModel model;
  model.json = parse_json(read_file(path), path);
  Fields fields(model.json, Place(path));
  model.verdict = verdicts.read(fields.at("status"), fields.place("status"));
  model.device = device_from_json(fields.at("device"), path, "device");
  model.assumed = Assumptions::all(model.device);
  for (const std::string& text : read_texts(fields, "assumed")) {
    try {
      model.assumed.restrict_by(text);
    } catch (const Error& error) {
      fields.place("assumed").fail(error.what());
    }
  }
  model.channels = read_texts(fields, "channels");
  model.voted = read_boolean(fields.at("voted"), fields.place("voted"));
  expect_told(fields);
  return model;
}

Assumptions surviving_values(const ClaimedModel& model, const std::string& path) {
  Fields fields(model.json, Place(path));
  const Json& surviving = fields.at("surviving");
  const Place place = fields.place("surviving");
  expect_object(surviving, place);
  Assumptions left = model.assumed;
  for (const auto& [axis, values] : surviving.items()) {
    const Place at = place.field(axis);
    expect_array(values, at);
    if (values.empty()) at.fail("is empty: no hypothesis explains what was recorded");
    std::string text = axis + "=";
    for (const Json& value : values) {
      text += (&value == &values.front() ? "" : ",") + read_text(value, at);
    }
    try {
      left.restrict_by(text);
    } catch (const Error& error) {
      at.fail(error.what());
    }
  }
  return left;
}

std::vector<int> learned_order(const ClaimedModel& model, const std::string& path) {
  if (!model.json.contains("order")) return {};
  return read_integers(model.json["order"], Place(path).field("order"), {});
}

std::vector<std::string> differing_fields(const ClaimedModel& model, const Finding& finding,
                                          const std::string& path) {
  const Json expected = model_json(finding);
  std::vector<std::string> differing;
  const auto compare = [&](const std::string& field, bool there, bool should_be) {
    if (std::ranges::find(kToldOnly, field) != kToldOnly.end()) return;
    const Place place = Place(path).field(field);
    const std::string where = place.where() + ": " + place.path();
    if (!should_be) {
      differing.push_back(where + ": does not follow from the recordings");
    } else if (!there) {
      differing.push_back(where + ": is missing");
    } else if (model.json[field] != expected[field]) {
      differing.push_back(fmt::format("{}: does not follow from the recordings, which give {}",
                                      where, shown(expected[field])));
    }
  };
  for (const auto& [field, value] : expected.items()) {
    compare(field, model.json.contains(field), true);
  }
  for (const auto& [field, value] : model.json.items()) {
    if (!expected.contains(field)) compare(field, true, false);
  }
  return differing;
}

}  // namespace cuvier
