#include <fmt/format.h>

#include <algorithm>

#include "probes/json_fields.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/page.h"
#include "reports/document/words.h"
#include "solver/minimise/reductions.h"

namespace cuvier {

std::string known_by(const Comparison& comparison) {
  if (comparison.distinction) {
    const auto& likelihood = comparison.distinction->likelihood;
    return parting_words(*comparison.distinction) +
           (likelihood ? "; " + likelihood_words(*likelihood) : "");
  }
  return comparison.proof ? comparison.proof->claim : comparison.reason;
}

std::string probe_name(const CatalogueRow& row) {
  std::string name = row.change;
  std::ranges::replace(name, '=', '-');
  return name;
}

std::string row_line(const CatalogueRow& row) {
  const Comparison& comparison = row.comparison;
  std::string size;
  if (comparison.distinction) size = size_words(comparison.distinction->probe) + "; ";
  return fmt::format("{:<10} {:>6}  {}: {}{}", name_of(comparison.kind),
                     duration_words(comparison.seconds), row.change, size, known_by(comparison));
}

std::string summary_words(const Catalogue& catalogue) {
  std::string text = counted(catalogue.rows.size(), "change");
  std::string separator = ": ";
  using Kind = Comparison::Kind;
  for (const Kind kind :
       {Kind::different, Kind::equivalent, Kind::not_distinguished, Kind::undecided}) {
    const auto rows = std::ranges::count_if(
        catalogue.rows, [&](const CatalogueRow& row) { return row.comparison.kind == kind; });
    if (rows == 0) continue;
    text += fmt::format("{}{} {}", separator, rows, name_of(kind));
    separator = ", ";
  }
  return text;
}

std::string catalogue_markdown(const Catalogue& catalogue) {
  std::string text = fmt::format(
      "# What tells {} from its neighbours on the {}\n\n"
      "Written by `cuvier distinguish --all-pairs`, seed {}. A is {}; B is A with the change. "
      "{}. Each probe that tells for certain is 1-minimal: nothing smaller by one step tells.\n\n"
      "| change | result | kernels | actions | blocks | where they part, or why not | seconds |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n",
      describe(catalogue.base), catalogue.device.name, catalogue.seed, describe(catalogue.base),
      summary_words(catalogue));
  for (const CatalogueRow& row : catalogue.rows) {
    const Comparison& comparison = row.comparison;
    std::string result(name_of(comparison.kind));
    std::string size = " | | ";
    if (comparison.distinction) {
      result = fmt::format("[{}]({}.json)", result, probe_name(row));
      const ProbeSize is = size_of(comparison.distinction->probe);
      size = fmt::format("{} | {} | {}", is.kernels, is.actions, is.blocks);
    }
    if (comparison.proof) result = fmt::format("[{}]({})", result, probe_name(row));
    text += fmt::format("| `{}` | {} | {} | {} | {:.2f} |\n", row.change, result, size,
                        in_markdown(known_by(comparison)), comparison.seconds);
  }
  return text;
}

nlohmann::ordered_json catalogue_json(const Catalogue& catalogue) {
  Json json = {{"device", catalogue.device.name},
               {"base", describe(catalogue.base)},
               {"seed", catalogue.seed},
               {"rows", Json::array()}};
  for (const CatalogueRow& row : catalogue.rows) {
    Json entry = {{"change", row.change}};
    entry.update(comparison_json(row.comparison, catalogue.device, catalogue.base, row.changed));
    for (const char* const same_in_all : {"device", "a"}) entry.erase(same_in_all);
    if (row.comparison.distinction) {
      entry.update(size_json(row.comparison.distinction->probe));
      entry["one_minimal"] = !row.comparison.distinction->likelihood;
    }
    json["rows"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace cuvier
