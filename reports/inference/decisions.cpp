#include "reports/inference/decisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <sstream>

#include "probes/format.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"

namespace cuvier {
namespace {

constexpr std::string_view from_journal = "journal";

/// Values of axes, by name. `Values` has those of each axis under its number.
template <class Values>
struct ValuesOfAxes {
  Values read(const Json& json, const Place& place) const {
    expect_object(json, place);
    Values read{};
    for (const auto& [name, values] : json.items()) {
      const Place at = place.field(name);
      const auto axis = find_axis(name);
      if (!axis) at.fail("there is no such axis; `cuvier axes` lists them");
      const std::vector<std::string> called = ListOf{String()}.read(values, at);
      for (std::size_t i = 0; i < called.size(); ++i) {
        const auto found = find_value(*axis, called[i]);
        if (!found) at.item(i).fail("the axis has no such value");
        read[*axis].push_back(*found);
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
      Json& names = json[std::string(axis_info(axis).name)] = Json::array();
      for (const int value : values[axis]) names.push_back(axis_value(axis, value).name);
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
});

struct Shape {
  std::string label;
  std::string shape;
};

using DecisionGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Shape, Shape>;

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

nlohmann::ordered_json to_json(const Decisions& decisions) { return format.write(decisions); }

Decisions read_decisions(const std::string& path) {
  return format.read(parse_json(read_file(path), path), Place(path));
}

nlohmann::ordered_json decisions_schema() { return format.schema(); }

std::string decision_tree(const Decisions& decisions, double hypotheses, const std::string& verdict,
                          const std::string& reason) {
  DecisionGraph graph;
  auto at =
      boost::add_vertex(Shape{counted(hypotheses, "hypothesis", "hypotheses"), "ellipse"}, graph);
  SurvivingValues surviving = decisions.considered;
  for (const Decision& step : decisions.steps) {
    const SurvivingValues before = surviving;
    for (const auto& [axis, values] : step.now_surviving) surviving[axis] = values;
    std::string settled = narrowed_words(before, surviving);
    std::ranges::replace(settled, ';', '\n');
    const auto probe =
        boost::add_vertex(Shape{fmt::format("{}\n{}", step.probe, step.why), "box"}, graph);
    boost::add_edge(at, probe, Shape{"", "solid"}, graph);
    if (step.outcomes > 1) {
      const auto others = boost::add_vertex(
          Shape{counted(step.outcomes - 1, "other outcome") + " expected", "plain"}, graph);
      boost::add_edge(probe, others, Shape{"", "dashed"}, graph);
    }
    const std::string left = counted(step.left, "hypothesis", "hypotheses") + " left";
    at = boost::add_vertex(Shape{left, "ellipse"}, graph);
    boost::add_edge(probe, at, Shape{settled, "solid"}, graph);
  }
  const auto end =
      boost::add_vertex(Shape{fmt::format("{}\n{}", verdict, reason), "octagon"}, graph);
  boost::add_edge(at, end, Shape{"", "solid"}, graph);

  std::ostringstream out;
  boost::write_graphviz(
      out, graph,
      [&](std::ostream& stream, DecisionGraph::vertex_descriptor v) {
        stream << "[label=" << boost::escape_dot_string(graph[v].label)
               << ", shape=" << graph[v].shape << "]";
      },
      [&](std::ostream& stream, const DecisionGraph::edge_descriptor& e) {
        stream << "[label=" << boost::escape_dot_string(graph[e].label)
               << ", style=" << graph[e].shape << "]";
      });
  return out.str();
}

}  // namespace cuvier
