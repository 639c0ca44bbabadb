#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "hypotheses/scheduler/groups.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"

namespace cuvier {
namespace {

bool is_of_tpcs(const OtherMap& map, const Device& device) {
  return map.device.tpc_of_sm != device.tpc_of_sm;
}

std::vector<std::vector<int>> groups_in(const OtherMap& map, const Device& device) {
  return groups_of(map.device, is_of_tpcs(map, device) ? Hierarchy::tpc : Hierarchy::gpc);
}

/// "12 GPCs of 14 to 16 SMs"
std::string size_words(const std::vector<std::vector<int>>& groups, std::string_view kind) {
  const auto [least, most] = std::ranges::minmax_element(groups, {}, &std::vector<int>::size);
  const std::string sizes = least->size() == most->size()
                                ? fmt::format("{}", most->size())
                                : fmt::format("{} to {}", least->size(), most->size());
  return fmt::format("{} of {} SMs", counted(groups.size(), kind), sizes);
}

/// What was seen of it beside the order.
std::string support_words(const OtherMap& map, bool tpcs) {
  if (tpcs) {
    return map.carve_outs == 0
               ? "no answer shows which SMs share a carve-out"
               : fmt::format("{} show SMs that share a carve-out, those of one of its TPCs each",
                             counted(map.carve_outs, "answer"));
  }
  return map.clusters == 0 ? "no cluster was seen that could speak against it"
                           : fmt::format("each of {} that were seen lies in one of its GPCs",
                                         counted(map.clusters, "cluster"));
}

std::string settling_words(const Finding& finding) {
  if (is_of_tpcs(finding.maps.front(), finding.device)) {
    return "Carve-outs would settle it: where the SMs of a TPC share one (config_scope=tpc), a "
           "block that needs another keeps both.";
  }
  if (finding.device.max_cluster > 0) {
    return "Launches of clusters would settle it: each lies in one GPC.";
  }
  return fmt::format(
      "Launches of clusters would settle it, as each lies in one GPC; but {} launches none, as its "
      "file has it (max_cluster).",
      finding.device.name);
}

}  // namespace

Section other_maps_section(const Finding& finding) {
  const OtherMap& first = finding.maps.front();
  const bool tpcs = is_of_tpcs(first, finding.device);
  const std::string_view kind = tpcs ? "TPC" : "GPC";
  const auto groups = groups_in(first, finding.device);
  Section section{"Under another map of the device, a named order explains everything", {}};
  section.say("{} with {} explains all of {}, and {}. That is no proof of the map.",
              model_words(first.mechanism), size_words(groups, kind),
              counted(finding.probes, finding.runs == 0 ? "recording" : "probe"),
              support_words(first, tpcs));
  Table table{"The map", {std::string(kind), "SMs", "which"}};
  for (std::size_t group = 0; group < groups.size(); ++group) {
    table.add({fmt::format("{}", group), fmt::format("{}", groups[group].size()),
               runs_words(groups[group])});
  }
  constexpr std::size_t most_in_short = 16;
  table.in_short = most_in_short;
  section.add(std::move(table));
  if (const std::size_t others = finding.maps.size() - 1; others > 0) {
    section.say(
        "Other maps explain as much; this one has the fewest groups, and the JSON has {} more.",
        others);
  }
  if (!first.settled()) section.add(Text(settling_words(finding)));
  return section;
}

}  // namespace cuvier
