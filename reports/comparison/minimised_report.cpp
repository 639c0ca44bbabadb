#include "reports/comparison/minimised_report.h"

#include <fmt/format.h>

#include <array>

#include "probes/json_fields.h"
#include "probes/opening.h"
#include "reports/document/words.h"
#include "reports/finding/mismatch_json.h"
#include "reports/finding/mismatch_table.h"

namespace cuvier {
namespace {

struct NamedMeasure {
  const char* name;
  Measure Minimality::*measure;
};
constexpr std::array measures = {
    NamedMeasure{"kernels", &Minimality::kernels},
    NamedMeasure{"actions", &Minimality::actions},
    NamedMeasure{"blocks", &Minimality::blocks},
    NamedMeasure{"resources", &Minimality::resources},
};

/// In the order of the measures; resources are no number.
std::array<std::string, measures.size()> size_words(const Probe& probe) {
  const ProbeSize size = size_of(probe);
  return {count_words(size.kernels), count_words(size.actions), count_words(size.blocks), ""};
}

std::string least_words(const Measure& measure) {
  return fmt::format("{}: {}", measure.least ? "proved least" : "smallest found", measure.why);
}

Json size_json(const Probe& probe) {
  const ProbeSize size = size_of(probe);
  return {{"kernels", size.kernels}, {"actions", size.actions}, {"blocks", size.blocks}};
}

}  // namespace

std::string minimality_words(const Minimality& least) {
  std::string proved;
  std::string rest;
  for (const auto& [name, measure] : measures) {
    std::string& names = (least.*measure).least ? proved : rest;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  if (proved.empty()) return rest + ": smallest found";
  proved += ": proved least";
  return rest.empty() ? proved : proved + "; " + rest + ": smallest found";
}

Section smallness_section(const Minimality& least, const Probe& probe) {
  Table table{"How small the probe is", {"", "", "how that is known"}, {}};
  const auto sizes = size_words(probe);
  for (std::size_t i = 0; i < measures.size(); ++i) {
    table.rows.push_back({measures[i].name, sizes[i], least_words(least.*measures[i].measure)});
  }
  return {"How small it is", 2, {std::move(table)}};
}

Section smallness_section(const Minimised& minimised, const Probe& before) {
  Section section = smallness_section(minimised.least, minimised.probe);
  Table& table = std::get<Table>(section.items.front());
  const auto sizes = size_words(before);
  table.headings = {"", "before", "now", "how that is known"};
  for (std::size_t i = 0; i < measures.size(); ++i) {
    table.rows[i].insert(table.rows[i].begin() + 1, sizes[i]);
    if (!minimised.cut_short.empty()) table.rows[i].back() = "";
  }
  if (minimised.cut_short.empty()) {
    section.say(
        "Smallest found: no kernel, action or released block can be left out by itself, and no "
        "number of blocks, threads, registers or bytes be lowered by itself. {} tried.",
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

nlohmann::ordered_json minimality_json(const Minimality& least) {
  Json json;
  for (const auto& [name, measure] : measures) {
    json["proved_least"][name] = (least.*measure).least;
    json["reasons"][name] = (least.*measure).why;
  }
  return json;
}

nlohmann::ordered_json minimised_json(const Minimised& minimised, const Probe& before) {
  Json json = {{"probe", to_json(minimised.probe)},
               {"size", size_json(minimised.probe)},
               {"before", size_json(before)}};
  if (!minimised.cut_short.empty()) {
    json["cut_short"] = minimised.cut_short;
    return json;
  }
  json.update(minimality_json(minimised.least));
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

std::string recording_lines(const RecordingSet& set) {
  const Json head = {{"type", "device"},
                     {"source", set.source},
                     {"session", set.recordings.size() > 1},
                     {"device", to_json(set.device)}};
  std::string lines = head.dump() + '\n';
  for (const Recording& recording : set.recordings) {
    if (recording.opening) lines += to_json(*recording.opening).dump() + '\n';
    lines += to_json(recording).dump() + '\n';
  }
  return lines;
}

}  // namespace cuvier
