#include "reports/model/model_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hypotheses/embedded_mechanism.h"
#include "hypotheses/readings/single_reading.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

/// `  device.NAME = VALUE;` for each fact that is known.
std::string facts_code(const Device& d) {
  std::string code;
  const auto set = [&](const char* field, const std::string& value) {
    code += fmt::format("  device.{} = {};\n", field, value);
  };
  const auto set_list = [&](const char* field, const std::vector<int>& values) {
    if (!values.empty()) set(field, fmt::format("{{{}}}", fmt::join(values, ", ")));
  };
  set("name", Json(d.name).dump());
  set("architecture", Json(d.architecture).dump());
  for (const auto& [field, value] : {
           std::pair{"sms", d.sms},
           {"sms_per_tpc", d.sms_per_tpc},
           {"subpartitions", d.subpartitions},
           {"max_blocks_per_sm", d.max_blocks_per_sm},
           {"max_warps_per_sm", d.max_warps_per_sm},
           {"max_threads_per_block", d.max_threads_per_block},
           {"max_registers_per_thread", d.max_registers_per_thread},
           {"registers_per_sm", d.registers_per_sm},
           {"max_shared_per_block", d.max_shared_per_block},
           {"max_resident_kernels", d.max_resident_kernels},
           {"max_cluster", d.max_cluster},
       }) {
    set(field, std::to_string(value));
  }
  set_list("shared_configs", d.shared_configs);
  set_list("gpc_of_sm", d.gpc_of_sm);
  set_list("tpc_of_sm", d.tpc_of_sm);
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
  return fmt::format("{{\"{}\",\n         {{{}}},\n         {{{}}}, {{{}}}}}", formula.text, nodes,
                     fmt::join(formula.parts, ", "), ranges);
}

/// What gives the formulas of the hypothesis to the mechanism, once; empty where it has none.
std::string formulas_code(const Hypothesis& hypothesis) {
  std::string code;
  for (int axis = 0; axis < kAxes; ++axis) {
    const int value = hypothesis.values[axis];
    if (value < named_values(axis)) continue;
    code += fmt::format("  static const auto {} = given({}, {});\n", axis_info(axis).name, axis,
                        formula_code(formula_of(axis_info(axis), value)));
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

}  // namespace cuvier
