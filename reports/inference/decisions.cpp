#include "reports/inference/decisions.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/json_fields.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

constexpr int schema = 1;
constexpr std::string_view from_journal = "journal";

std::string name_of_axis(int axis) { return std::string(axis_info(axis).name); }

Json names_of(int axis, const std::vector<int>& values) {
  Json names = Json::array();
  for (const int value : values) names.push_back(axis_info(axis).values[value].name);
  return names;
}

int read_axis(const std::string& name, const Place& place) {
  if (const auto axis = find_axis(name)) return *axis;
  place.fail("there is no such axis; `cuvier axes` lists them");
}

std::vector<int> read_values(int axis, const Json& json, const Place& place) {
  expect_array(json, place);
  const auto& values = axis_info(axis).values;
  std::vector<int> read;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string name = read_text(json[i], place.item(i));
    const auto found = std::ranges::find(values, name, &AxisValue::name);
    if (found == values.end()) place.item(i).fail("the axis has no such value");
    read.push_back(static_cast<int>(found - values.begin()));
  }
  return read;
}

Json to_json(const Decision& step) {
  Json json = {{"probe", step.probe},
               {"why", step.why},
               {"expected_bits", step.expected_bits},
               {"gained_bits", step.gained_bits},
               {"committee", step.committee},
               {"outcomes", step.outcomes},
               {"left", step.left},
               {"runs", step.runs},
               {"differing", step.differing},
               {"seconds", rounded_seconds(step.seconds)},
               {"narrowed", Json::object()}};
  for (const auto& [axis, values] : step.now_surviving) {
    json["narrowed"][name_of_axis(axis)] = names_of(axis, values);
  }
  return json;
}

Decision read_decision(const Json& json, const Place& place) {
  Fields fields(json, place);
  Decision step;
  step.probe = fields.text("probe");
  step.why = fields.text("why");
  step.expected_bits = fields.number("expected_bits");
  step.gained_bits = fields.number("gained_bits");
  step.committee = fields.integer("committee", {});
  step.outcomes = fields.integer("outcomes", {});
  step.left = fields.number("left");
  step.runs = fields.integer("runs", {});
  step.differing = fields.integer("differing", {});
  step.seconds = fields.number("seconds");
  const Json& narrowed = fields.at("narrowed");
  expect_object(narrowed, fields.place("narrowed"));
  for (const auto& [name, values] : narrowed.items()) {
    const Place at = fields.place("narrowed").field(name);
    const int axis = read_axis(name, at);
    step.now_surviving[axis] = read_values(axis, values, at);
  }
  return step;
}

}  // namespace

Decisions::Decisions(const Assumptions& assumptions) {
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int value = 0; value < axis_size(axis); ++value) {
      if (assumptions.allows(axis, value)) considered[axis].push_back(value);
    }
  }
}

void Decisions::add(const InferenceStep& step) {
  const SurvivingValues before = surviving();
  Decision decision{step.probe->name,
                    step.why,
                    step.expected_bits,
                    step.gained_bits,
                    step.committee,
                    step.outcomes,
                    step.count.remaining,
                    step.runs,
                    step.differing,
                    step.seconds,
                    {}};
  for (int axis = 0; axis < kAxes; ++axis) {
    if (step.surviving[axis] != before[axis]) decision.now_surviving[axis] = step.surviving[axis];
  }
  steps.push_back(std::move(decision));
}

SurvivingValues Decisions::surviving() const {
  SurvivingValues surviving = considered;
  for (const Decision& step : steps) {
    for (const auto& [axis, values] : step.now_surviving) surviving[axis] = values;
  }
  return surviving;
}

void Decisions::know_from(const Decisions& earlier) {
  for (std::size_t i = 0; i < std::min(steps.size(), earlier.steps.size()); ++i) {
    Decision& step = steps[i];
    const Decision& known = earlier.steps[i];
    if (step.why != from_journal || step.probe != known.probe) break;
    step.why = known.why;
    step.expected_bits = known.expected_bits;
    step.committee = known.committee;
    step.outcomes = known.outcomes;
  }
}

nlohmann::ordered_json to_json(const Decisions& decisions) {
  Json json = {{"schema", schema}, {"considered", Json::object()}, {"steps", Json::array()}};
  for (int axis = 0; axis < kAxes; ++axis) {
    json["considered"][name_of_axis(axis)] = names_of(axis, decisions.considered[axis]);
  }
  for (const Decision& step : decisions.steps) json["steps"].push_back(to_json(step));
  return json;
}

Decisions read_decisions(const std::string& path) {
  const Json json = parse_json(read_file(path), path);
  const Place root(path);
  Fields fields(json, root);
  if (fields.integer("schema", {}) != schema) {
    root.field("schema").fail(
        fmt::format("must be {}, the only one that this cuvier reads", schema));
  }
  Decisions decisions;
  const Json& considered = fields.at("considered");
  expect_object(considered, root.field("considered"));
  for (const auto& [name, values] : considered.items()) {
    const Place at = root.field("considered").field(name);
    const int axis = read_axis(name, at);
    decisions.considered[axis] = read_values(axis, values, at);
  }
  const Json& steps = fields.at("steps");
  expect_array(steps, root.field("steps"));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    decisions.steps.push_back(read_decision(steps[i], root.field("steps").item(i)));
  }
  return decisions;
}

}  // namespace cuvier
