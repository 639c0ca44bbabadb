#include <fmt/format.h>

#include "probes/initial_observation.h"
#include "probes/json_fields.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"
#include "reports/finding/mismatch_json.h"

namespace cuvier {
namespace {

Json size_json(const Probe& probe) {
  const ProbeSize size = size_of(probe);
  return {{"kernels", size.kernels}, {"actions", size.actions}, {"blocks", size.blocks}};
}

}  // namespace

Section smallness_section(const Probe& probe) {
  const ProbeSize is = size_of(probe);
  Table table{"How small the probe is",
              {"", ""},
              {{"kernels", count_words(is.kernels)},
               {"actions", count_words(is.actions)},
               {"blocks", count_words(is.blocks)}}};
  Section section{"How small it is", {std::move(table)}};
  section.say("It is {}.", one_minimal_words);
  return section;
}

Section smallness_section(const Minimised& minimised, const Probe& before) {
  const ProbeSize was = size_of(before);
  const ProbeSize is = size_of(minimised.probe);
  Table table{"How small the probe is",
              {"", "before", "now"},
              {{"kernels", count_words(was.kernels), count_words(is.kernels)},
               {"actions", count_words(was.actions), count_words(is.actions)},
               {"blocks", count_words(was.blocks), count_words(is.blocks)}}};
  Section section{"How small it is", {std::move(table)}};
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
