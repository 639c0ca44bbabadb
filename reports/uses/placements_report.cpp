#include "reports/placements/placements_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hypotheses/plausible_models.h"
#include "reports/uses/uses_report.h"

namespace cuvier {

nlohmann::ordered_json placements_json(const Placements& placements, const Model& model,
                                       const Probe& probe) {
  nlohmann::ordered_json json = to_json(placements.observation, probe);
  nlohmann::ordered_json waits = waits_json(placements.waits, probe);
  if (!waits.empty()) json["waits"] = std::move(waits);
  if (!placements.only_outcome()) json["one_of_several_from"] = placements.certain;
  json["model"] = model_name(model.hypothesis);
  json["evidence"] = model.evidence;
  return json;
}

std::string placements_text(const Placements& placements, const Model& model, const Probe& probe) {
  std::string text =
      fmt::format("{} on {}, under {}\n\n{}", probe.name, model.device.name, model_words(model),
                  observation_text(placements.observation, probe));
  const std::string why = waits_text(placements.waits, probe);
  if (!why.empty()) text += '\n' + why;
  if (!placements.only_outcome()) {
    text += fmt::format(
        "\nFrom step {} on this is one of several outcomes: nobody controls when another pick of "
        "a\n"
        "large grid joins those in flight (pairs_in_flight).\n",
        placements.certain);
  }
  return text;
}

}  // namespace cuvier
