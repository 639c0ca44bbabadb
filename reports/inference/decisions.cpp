#include "reports/inference/decisions.h"

#include <algorithm>

#include "hypotheses/assumptions.h"
#include "probes/format.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

constexpr std::string_view from_journal = "journal";

/// Values of axes, by name or formula. `Values` has those of each axis under its number.
template <class Values>
struct ValuesOfAxes {
  Values read(const Json& json, const Place& place) const {
    expect_object(json, place);
    Values read{};
    for (const auto& [name, values] : json.items()) {
      const Place at = place.field(name);
      const auto axis = find_axis(name);
      if (!axis) at.fail("there is no such axis; `cuvier axes` lists them");
      for (const std::string& value : ListOf{String()}.read(values, at)) {
        const Json alone = {{name, value}};
        const Hypothesis with = hypothesis_from_json(alone, place.where(), place.path());
        read[*axis].push_back(with.values[*axis]);
      }
    }
    return read;
  }
  Json write(Values values) const {
    Json json = Json::object();
    for (int axis = 0; axis < kAxes; ++axis) {
      if constexpr (requires { values.contains(axis); }) {
        if (!values.contains(axis)) continue;
      }
      json[std::string(axis_info(axis).name)] = value_list(axis, values[axis]);
    }
    return json;
  }
  Json schema() const {
    return {{"type", "object"},
            {"propertyNames", {{"pattern", "^[a-z_]+$"}}},
            {"additionalProperties", ListOf{String()}.schema()}};
  }
};

struct Seconds : Number {
  Json write(double seconds) const { return rounded_seconds(seconds); }
};

constexpr auto step_format = object<Decision>([](auto& step, auto& field) {
  field.required("probe", step.probe, String(), "its name");
  field.required("why", step.why, String(), "it was asked");
  field.required("expected_bits", step.expected_bits, Number(), "what it was to tell");
  field.required("gained_bits", step.gained_bits, Number(), "what it told");
  field.required("committee", step.committee, Integer(), "hypotheses that predicted it");
  field.required("outcomes", step.outcomes, Integer(), "that they predicted");
  field.required("left", step.left, Number(), "distinct hypotheses, after it");
  field.required("runs", step.runs, Integer(), "of it");
  field.required("differing", step.differing, Integer(), "of these, from what counts");
  field.required("seconds", step.seconds, Seconds(), "since the start");
  field.required("narrowed", step.now_surviving, ValuesOfAxes<std::map<int, std::vector<int>>>(),
                 "axes whose surviving values changed, with what they are now");
});

constexpr auto format = object<Decisions>([](auto& decisions, auto& field) {
  int schema = 1;
  field.required("schema", schema,
                 Checked{Integer(), R"({"const": 1})", [](int version) { return version == 1; },
                         "must be 1, the only one that this cuvier reads"},
                 "the version of the format");
  field.required("considered", decisions.considered, ValuesOfAxes<SurvivingValues>(),
                 "values of axes before the first probe");
  field.required("steps", decisions.steps, ListOf{step_format}, "the probes, in turn");
  field.optional("nearest", decisions.nearest, ListOf{String()},
                 "where nothing explains everything: how far what comes nearest is off");
});

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
  Decision decision{step, step.probe->name, step.count.remaining, {}};
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

nlohmann::ordered_json to_json(const Decisions& decisions) { return format.write(decisions); }

Decisions read_decisions(const std::string& path) {
  return format.read(parse_json(read_file(path), path), Place(path));
}

nlohmann::ordered_json decisions_schema() { return format.schema(); }

}  // namespace cuvier
