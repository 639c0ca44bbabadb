#include <fmt/format.h>

#include "probes/initial_observation.h"
#include "probes/json_fields.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"
#include "reports/finding/model_json.h"

namespace cuvier {
namespace {

Section sizes_section(const std::vector<std::string>& headings, const std::vector<Probe>& probes) {
  Table table{"How small the probe is", headings, {{"kernels"}, {"actions"}, {"blocks"}}};
  for (const Probe& probe : probes) {
    const ProbeSize size = size_of(probe);
    table.rows[0].emplace_back(count_words(size.kernels));
    table.rows[1].emplace_back(count_words(size.actions));
    table.rows[2].emplace_back(count_words(size.blocks));
  }
  return {"How small it is", {std::move(table)}};
}

}  // namespace

std::string size_words(const Probe& probe) {
  const ProbeSize size = size_of(probe);
  return fmt::format("{}, {}, {}", counted(size.kernels, "kernel"), counted(size.actions, "action"),
                     counted(size.blocks, "block"));
}

nlohmann::ordered_json size_json(const Probe& probe) {
  const ProbeSize size = size_of(probe);
  return {{"kernels", size.kernels}, {"actions", size.actions}, {"blocks", size.blocks}};
}

Section smallness_section(const Probe& probe) {
  Section section = sizes_section({"", ""}, {probe});
  section.say("It is {}.", one_minimal_words);
  return section;
}

Section smallness_section(const Minimised& minimised, const Probe& before) {
  Section section = sizes_section({"", "before", "now"}, {before, minimised.probe});
  if (minimised.cut_short.empty()) {
    section.say(
        "No kernel, action or released block can be left out by itself, and no number of blocks, "
        "threads, registers or bytes be lowered by itself. {} tried.",
        counted(minimised.judged, "probe"));
  }
  return section;
}

Page refutation_page(const Refutation& refutation) {
  Page page;
  page.verdict =
      fmt::format("refuted by 1 of {}: {}", counted(refutation.facts_before, "fact"),
                  refutation.cut_short.empty()
                      ? "proved least"
                      : refutation.cut_short + ": recordings after these may do with less");
  Section& section = page.sections.emplace_back();
  section.add(mismatch_table({refutation.mismatch}));
  if (const auto context = refutation.set.recordings.size() - 1; context > 0) {
    section.add(
        Text("And by what ran before it in its session: " + counted(context, "recording") + "."));
  }
  section.say("The hypothesis gets {} wrong in {}.", counted(refutation.facts_wrong, "fact"),
              counted(refutation.recordings_before, "recording"));
  return page;
}

nlohmann::ordered_json minimised_json(const Minimised& minimised, const Probe& before) {
  Json json = {{"probe", to_json(minimised.probe)},
               {"size", size_json(minimised.probe)},
               {"before", size_json(before)}};
  if (!minimised.cut_short.empty()) {
    json["cut_short"] = minimised.cut_short;
    return json;
  }
  json["one_minimal"] = true;
  json["probes_tried"] = minimised.judged;
  return json;
}

nlohmann::ordered_json refutation_json(const Refutation& refutation) {
  Json json = mismatch_json(refutation.mismatch);
  json["facts"] = {
      {"needed", 1}, {"wrong", refutation.facts_wrong}, {"all", refutation.facts_before}};
  if (!refutation.cut_short.empty()) json["cut_short"] = refutation.cut_short;
  json["recordings"] = Json::array();
  for (const Recording& recording : refutation.set.recordings) {
    if (recording.opening) json["recordings"].push_back(to_json(*recording.opening));
    json["recordings"].push_back(to_json(recording));
  }
  return json;
}

}  // namespace cuvier
