#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/embedded_mechanism.h"
#include "hypotheses/readings/single_reading.h"
#include "hypotheses/scheduler/groups.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "reports/document/json_text.h"
#include "reports/model/model_report.h"

namespace cuvier {
namespace {

/// `  device.NAME = VALUE;` for each fact that is known: fields are called as the members are.
std::string facts_code(const Device& device) {
  const Json facts = to_json(device);
  std::string code;
  for (const auto& [name, fact] : facts.items()) {
    const std::string value =
        fact.is_array() ? fmt::format("{{{}}}", fmt::join(fact.get<std::vector<int>>(), ", "))
                        : json_text(fact);
    code += fmt::format("  device.{} = {};\n", name, value);
  }
  return code;
}

/// The formula as a value of mechanism::Formula.
std::string formula_code(const Formula& formula) {
  std::string nodes;
  for (const Formula::Node& node : formula.nodes) {
    nodes += fmt::format("{{mechanism::Formula::Op({}), {}, {{{}}}, {}, {}}}, ",
                         static_cast<int>(node.op), node.value, fmt::join(node.of, ", "),
                         node.may_be_negative, node.may_divide_by_none);
  }
  std::string ranges;
  for (const Formula::Range& range : formula.ranges) {
    ranges += fmt::format("{{{}, {}}}, ", range.least, range.most);
  }
  return fmt::format("{{\"{}\",\n         {{{}}},\n         {{{}}}, {{{}}}, {}}}", formula.text,
                     nodes, fmt::join(formula.parts, ", "), ranges, formula.names);
}

/// What gives the formulas of the hypothesis to the mechanism, once; empty where it has none.
std::string formulas_code(const Hypothesis& hypothesis) {
  std::string code;
  for (int axis = 0; axis < kAxes; ++axis) {
    const int value = hypothesis.values[axis];
    if (value < named_values(axis)) continue;
    code += fmt::format("  static const auto {} = given({}, {});\n", axis_info(axis).name, axis,
                        formula_code(formula_of(axis, value)));
  }
  if (code.empty()) return code;
  return "  const auto given = [](int axis, mechanism::Formula formula) {\n"
         "    mechanism::detail::given_formulas[axis].push_back(std::move(formula));\n"
         "    return static_cast<std::uint8_t>(mechanism::axis_size(axis) - 1);\n"
         "  };\n" +
         code;
}

/// An index for each axis, with what it stands for.
std::string values_code(const Hypothesis& hypothesis) {
  std::string code;
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    const int value = hypothesis.values[axis];
    const bool is_named = value < named_values(axis);
    code += fmt::format("      {},  // {}: {}\n",
                        is_named ? std::to_string(value) : std::string(info.name), info.name,
                        axis_value(axis, value).name);
  }
  return code;
}

constexpr const char* const kHeader =
    R"(// Where blocks go on {name}, under {model}.
//
// Written by `cuvier export --format cpp`; needs C++20 and its standard library alone.
//
//   cuvier_model::Gpu gpu;
//   cuvier_model::Kernel kernel;
//   kernel.blocks = 82;
//   kernel.threads = 64;
//   kernel.registers = 32;
//   const int k = gpu.launch(kernel);
//   for (const auto& start : gpu.started()) use(start.block, start.sm);
//   gpu.release({{{{k, {{0, 3}}}}}});  // these blocks of k end; again gpu.started() is who follows
//
// For several models in one program, define CUVIER_MODEL as another namespace before each.
#pragma once

{standard}
#ifndef CUVIER_MECHANISM_{digest}
#define CUVIER_MECHANISM_{digest}
namespace cuvier_mechanism_{digest} {{

{text}}}  // namespace cuvier_mechanism_{digest}
#endif

#ifndef CUVIER_MODEL
#define CUVIER_MODEL cuvier_model
#endif
namespace CUVIER_MODEL {{

namespace mechanism = cuvier_mechanism_{digest}::cuvier;
using mechanism::Device;
using mechanism::Kernel;
using mechanism::Release;
using Start = mechanism::Gpu::Start;

/// The documented facts of the GPU.
inline Device device() {{
  Device device;
{facts}  return device;
}}

/// What its scheduler does: the index of the value of each axis.
inline mechanism::Hypothesis hypothesis() {{
{formulas}  return {{
      {{
{values}      }},
      {{}}}};
}}

/// The place of each SM in the order in which SMs are gone through.
inline std::vector<int> sm_ranks() {{
  return {{{ranks}}};
}}

class Gpu : public mechanism::Gpu {{
 public:
  Gpu() : mechanism::Gpu(CUVIER_MODEL::device(), hypothesis(), sm_ranks()) {{}}
}};

}}  // namespace CUVIER_MODEL
#undef CUVIER_MODEL
)";

constexpr int model_schema = 1;  // that of model files, among which it is

Json meanings(const Hypothesis& hypothesis) {
  Json json = Json::object();
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    const AxisValue& value = axis_value(axis, hypothesis.values[axis]);
    json[std::string(info.name)] = {{"asks", std::string(info.meaning)},
                                    {"answer", std::string(value.meaning)},
                                    {"matters", matters(axis, hypothesis)}};
  }
  return json;
}

}  // namespace

std::string model_header(const Device& device, const Hypothesis& hypothesis) {
  const EmbeddedMechanism mechanism = embedded_mechanism();
  const SingleReading reading(device, hypothesis);
  return fmt::format(
      fmt::runtime(kHeader), fmt::arg("name", one_line(device.name)),
      fmt::arg("model", describe(canonical(hypothesis))),
      fmt::arg("standard", mechanism.standard_headers), fmt::arg("digest", mechanism.digest),
      fmt::arg("text", mechanism.text), fmt::arg("facts", facts_code(device)),
      fmt::arg("formulas", formulas_code(hypothesis)), fmt::arg("values", values_code(hypothesis)),
      fmt::arg("ranks", fmt::join(reading.sm_ranks(), ", ")));
}

nlohmann::ordered_json model_facts(const Device& device, const Hypothesis& hypothesis) {
  const std::vector<int> ranks = SingleReading(device, hypothesis).sm_ranks();
  Json json = {{"schema", model_schema},    {"model", describe(canonical(hypothesis))},
               {"device", to_json(device)}, {"mechanism", to_json(hypothesis)},
               {"order", ranks_of(ranks)},  // the inverse of the inverse
               {"tpcs", tpcs_of(device)}};
  if (!device.gpc_of_sm.empty()) json["gpcs"] = gpcs_of(device);
  json["largest_cluster"] = device.largest_cluster();
  json["meanings"] = meanings(hypothesis);
  return json;
}

}  // namespace cuvier
