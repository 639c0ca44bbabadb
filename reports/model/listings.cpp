#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/plausible_models.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "probes/named.h"
#include "reports/document/page.h"
#include "reports/document/words.h"
#include "reports/model/model_report.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

std::vector<std::string> names_of_values(const AxisLiteral& literal) {
  const int axis = *find_axis(literal.axis);
  std::vector<std::string> names;
  for (int value = 0; value < axis_size(axis); ++value) {
    if (literal.values >> value & 1) names.emplace_back(axis_value(axis, value).name);
  }
  return names;
}

std::string relevance_words(const Relevance& relevance) {
  std::string text;
  for (const auto& conjunction : relevance) {
    text += text.empty() ? "matters with " : "\n          or with ";
    for (const AxisLiteral& literal : conjunction) {
      if (&literal != conjunction.data()) text += " and ";
      const std::vector<std::string> names = names_of_values(literal);
      text += names.empty() ? fmt::format("a formula of {}", literal.axis)
                            : fmt::format("{}={}", literal.axis, fmt::join(names, ","));
    }
  }
  return text;
}

std::string_view condition_of(Needs needs) {
  return named(needs,
               {"", " (needs gpc_of_sm)", " (needs clusters)", " (needs TPCs of several SMs)",
                " (needs two GPCs of one TPC)", " (needs clusters, and two GPCs of one TPC)"});
}

std::string axis_text(const AxisInfo& info) {
  std::vector<std::vector<std::string>> rows;
  for (const AxisValue& value : info.values) {
    rows.push_back(
        {std::string(value.name), fmt::format("{}{}", value.meaning, condition_of(value.needs))});
  }
  std::string text = fmt::format("{}: {}\n{}", info.name, info.meaning, aligned(rows, 4));
  if (!info.matters_when.empty()) text += "  " + relevance_words(info.matters_when) + '\n';
  return text;
}

std::string_view words_of(FormulaInfo::Gives gives) {
  return named(gives, {"a number", "a condition", "a number or a tuple", "a number or a tuple"});
}

Json formula_json(const FormulaInfo& formula) {
  Json json = {{"gives", std::string(formula.meaning)},
               {"kind", std::string(words_of(formula.gives))}};
  if (formula.gives == FormulaInfo::Gives::number) {
    json.update({{"least", formula.least}, {"most", formula.most}});
  }
  json["names"] = Json::array();
  for (const FormulaName& name : formula.names) {
    json["names"].push_back({{"name", std::string(name.name)},
                             {"meaning", std::string(name.meaning)},
                             {"least", name.least},
                             {"most", name.most}});
  }
  return json;
}

Json axis_json(const AxisInfo& info) {
  Json json = {{"name", std::string(info.name)}, {"meaning", std::string(info.meaning)}};
  json["values"] = Json::array();
  for (const AxisValue& value : info.values) {
    using enum Needs;
    json["values"].push_back(
        {{"name", std::string(value.name)},
         {"meaning", std::string(value.meaning)},
         {"needs_gpc_map", value.needs == gpc_map},
         {"needs_clusters", value.needs == clusters || value.needs == lone_tpcs_and_clusters},
         {"needs_tpcs", value.needs == tpcs},
         {"needs_lone_tpcs", of_lone_tpcs(value.needs)}});
    if (!value.formula.empty()) json["values"].back()["formula"] = std::string(value.formula);
  }
  if (info.formula) json["formula"] = formula_json(*info.formula);
  json["matters_when"] = Json::array();
  for (const auto& conjunction : info.matters_when) {
    Json condition = Json::object();
    for (const AxisLiteral& literal : conjunction) {
      condition[std::string(literal.axis)] = names_of_values(literal);
    }
    json["matters_when"].push_back(std::move(condition));
  }
  return json;
}

Text name_words(const FormulaName& name) {
  const std::string_view needs = name.needs == Needs::gpc_map ? " (needs gpc_of_sm)" : "";
  const std::string_view fleeting = name.is_fleeting ? "; fleeting" : "";
  return fmt::format("{}{}{}", name.meaning, needs, fleeting);
}

/// What formulas of an axis that takes them read and give, and its named values as formulas.
Section formulas_of(int axis) {
  const AxisInfo& info = axis_info(axis);
  const FormulaInfo& formula = *info.formula;
  const bool has_bounds = formula.gives == FormulaInfo::Gives::number;
  const std::string bounds = has_bounds ? fmt::format(" from {} to {}", all_digits(formula.least),
                                                      all_digits(formula.most))
                                        : "";
  Section section{code(info.name), {}};
  section.say("It says {}. A formula gives {}{}: {}.", info.meaning, words_of(formula.gives),
              bounds, formula.meaning);
  Table names{"What formulas may read", {"may read", "from", "to", "which is"}};
  for (const FormulaName& name : formula.names) {
    names.add({code(name.name), all_digits(name.least), all_digits(name.most), name_words(name)});
  }
  section.add(std::move(names));
  if (std::ranges::any_of(formula.names, &FormulaName::is_fleeting)) {
    section.say(
        "What is fleeting is another with each block, wherever it goes, so a rule that reads "
        "it costs more to predict.");
  }
  Table values{"The named values", {"named value", "as a formula"}};
  for (const AxisValue& value : info.values) {
    values.add({code(value.name), value.formula.empty() ? Text("none") : code(value.formula)});
  }
  section.add(std::move(values));
  return section;
}

/// How many hypotheses there are. No fact of a device but its GPC map, and whether it launches
/// clusters, has a part in that.
struct Sizes {
  double hypotheses = 0;
  double with_gpc_map = 0;
  double with_clusters = 0;
  double combinations = 1;
};

Sizes all_sizes() {
  Device device = known_devices().front().device;
  const auto count = [&] { return VersionSpace(device, Assumptions::all(device)).count().initial; };
  Sizes sizes;
  device.gpc_of_sm.clear();
  device.max_cluster = 0;
  sizes.hypotheses = count();
  device.gpc_of_sm.assign(device.sms, 0);
  sizes.with_gpc_map = count();
  device.max_cluster = Device::kLargestCluster;
  sizes.with_clusters = count();
  for (int axis = 0; axis < kAxes; ++axis) sizes.combinations *= named_values(axis);
  return sizes;
}

}  // namespace

std::string axes_text() {
  const Sizes sizes = all_sizes();
  std::string text = fmt::format(
      "{} axes; Algorithm 1's value comes first. On a device they make {} hypotheses, {} where it\n"
      "is known which SMs share a GPC, and {} where it launches clusters, too: what `infer`,\n"
      "`check` and `audit` begin with. (Values that change nothing under the others are not\n"
      "counted apart there, nor orders that have to be learned. With them there are {}\n"
      "combinations.)\n\n",
      kAxes, count_words(sizes.hypotheses), count_words(sizes.with_gpc_map),
      count_words(sizes.with_clusters), count_words(sizes.combinations));
  for (int axis = 0; axis < kAxes; ++axis) text += axis_text(axis_info(axis)) + '\n';
  text += "Hypotheses with a name:\n\n";
  for (const NamedHypothesis& named : named_hypotheses()) {
    text += fmt::format("{}: {}\n    {}\n", named.name, named.meaning, named.source);
    const std::string difference = describe(named.hypothesis);
    if (difference != named.name) text += "    " + difference + '\n';
  }
  return text;
}

Page formulas_page(int axis) {
  Page page;
  page.sections = {formulas_of(axis)};
  return page;
}

Page all_formulas_page() {
  Page page;
  page.title = "What formulas of each axis read and give";
  page.written_by = "Generated by " + code("cuvier manual --formulas") + " (" +
                    code("docs/remake formula-names") + "); edits here are lost.";
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis_info(axis).formula) page.add(formulas_of(axis));
  }
  return page;
}

nlohmann::ordered_json axes_json() {
  const Sizes sizes = all_sizes();
  Json json = {{"count",
                {{"hypotheses", sizes.hypotheses},
                 {"with_gpc_map", sizes.with_gpc_map},
                 {"with_clusters", sizes.with_clusters},
                 {"combinations", sizes.combinations}}},
               {"axes", Json::array()},
               {"hypotheses", Json::array()}};
  for (int axis = 0; axis < kAxes; ++axis) json["axes"].push_back(axis_json(axis_info(axis)));
  for (const NamedHypothesis& named : named_hypotheses()) {
    json["hypotheses"].push_back({{"name", std::string(named.name)},
                                  {"meaning", std::string(named.meaning)},
                                  {"source", std::string(named.source)},
                                  {"mechanism", to_json(named.hypothesis)}});
  }
  return json;
}

std::string devices_text() {
  std::vector<std::vector<std::string>> rows = {{"name", "arch", "SMs", "SMs/TPC", "blocks/SM",
                                                 "warps/SM", "registers/SM", "shared KiB/SM",
                                                 "model", "GPU"}};
  for (const DeviceFile& file : known_devices()) {
    const Device& device = file.device;
    rows.push_back({file.name, device.architecture, count_words(device.sms),
                    count_words(device.sms_per_tpc), count_words(device.max_blocks_per_sm),
                    count_words(device.max_warps_per_sm), count_words(device.registers_per_sm),
                    count_words(device.largest_config() / kKiB),
                    std::string(plausible_models(device).front().name), device.name});
  }
  std::string notes;
  for (const DeviceFile& file : known_devices()) {
    const Model likeliest = plausible_models_of(file.device).front();
    notes += fmt::format("{}: {}\n", file.name, model_words(likeliest));
  }
  for (const DeviceFile& file : known_devices()) {
    if (!file.note.empty()) notes += fmt::format("{}: {}\n", file.name, file.note);
  }
  return aligned(rows) + '\n' + notes;
}

nlohmann::ordered_json devices_json() {
  Json json = Json::object();
  for (const DeviceFile& file : known_devices()) {
    json[file.name] = to_json(file.device);
    if (!file.note.empty()) json[file.name]["note"] = file.note;
  }
  return json;
}

}  // namespace cuvier
