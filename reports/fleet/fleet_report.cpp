#include "reports/fleet/fleet_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "hypotheses/assumptions.h"
#include "hypotheses/scheduler/groups.h"
#include "probes/json_fields.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

constexpr std::size_t kNamed = 4;     ///< GPUs of a class that a page names
constexpr std::size_t kPictures = 3;  ///< of maps
constexpr std::size_t kRows = 20;     ///< that a terminal has

std::string gpus_words(std::size_t count) { return counted(count, "GPU"); }

/// "a, b, c and 17 more"
std::string some_of(const std::vector<std::string>& gpus) {
  const std::vector<std::string> few(gpus.begin(), gpus.begin() + std::min(kNamed, gpus.size()));
  std::string words = fmt::format("{}", fmt::join(few, ", "));
  if (gpus.size() > kNamed) words += fmt::format(" and {} more", count_words(gpus.size() - kNamed));
  return words;
}

/// Whatever their products.
std::size_t different_mechanisms(const FleetSummary& summary) {
  std::vector<Hypothesis> different;
  for (const MechanismClass& each : summary.mechanisms) {
    if (std::ranges::find(different, each.mechanism) == different.end()) {
      different.push_back(each.mechanism);
    }
  }
  return different.size();
}

Section mechanisms_section(const FleetSummary& summary) {
  Table table{
      "Mechanisms of each product", {"", "product", "GPUs", "mechanism", "which"}, {}, kRows};
  for (std::size_t i = 0; i < summary.mechanisms.size(); ++i) {
    const MechanismClass& each = summary.mechanisms[i];
    table.add({fmt::format("class {}", i + 1), each.product, count_words(each.gpus.size()),
               code(model_words(each.mechanism)), some_of(each.gpus)});
  }
  return section_of(std::move(table));
}

Section differences_section(const FleetSummary& summary) {
  Table table{"What tells them apart", {"classes", "", "the probe", "where they part"}};
  for (const ClassDifference& each : summary.differences) {
    const Comparison& comparison = each.comparison;
    const std::string file = difference_file(each);
    table.add({fmt::format("{} (A) and {} (B)", each.a + 1, each.b + 1),
               std::string(name_of(comparison.kind)), file.empty() ? Text() : code(file),
               known_by(comparison)});
  }
  return {"What tells classes apart", {std::move(table)}};
}

std::vector<std::size_t> gpc_sizes(const Device& device) {
  return mapped(gpcs_of(device), &std::vector<int>::size);
}

/// A line for each GPC, a mark for each SM.
Source picture(const Device& device) {
  std::string text;
  for (const auto& gpc : gpcs_of(device)) {
    std::string marks;
    for (std::size_t sm = 0; sm < gpc.size(); ++sm) marks += "█";
    text += fmt::format("{:<20} {:>2} SMs: {}\n",
                        marks + std::string(20 - std::min<std::size_t>(20, gpc.size()), ' '),
                        gpc.size(), runs_words(gpc));
  }
  text.pop_back();
  return {"text", text};
}

Section maps_section(const FleetSummary& summary) {
  Table table{"Maps", {"", "product", "GPUs", "SMs of each GPC", "which"}, {}, kRows};
  for (std::size_t i = 0; i < summary.maps.size(); ++i) {
    const MapClass& each = summary.maps[i];
    table.add({fmt::format("map {}", i + 1), each.product, count_words(each.gpus.size()),
               fmt::format("{}", fmt::join(gpc_sizes(each.device), " ")), some_of(each.gpus)});
  }
  Section section{"Maps", {}};
  if (!table.rows.empty()) section.add(std::move(table));
  if (!summary.without_map.empty()) {
    section.say("Of {} nothing told which SMs share a GPC: {}.",
                gpus_words(summary.without_map.size()), some_of(summary.without_map));
  }
  return section;
}

/// The commonest, each with what becomes of clusters there.
Section pictures_section(const FleetSummary& summary) {
  Section section{"The commonest maps", {}, 2, false};
  for (std::size_t i = 0; i < std::min(kPictures, summary.maps.size()); ++i) {
    const MapClass& map = summary.maps[i];
    section.say("Map {}, {}:", i + 1, gpus_words(map.gpus.size()));
    section.add(picture(map.device));
    if (map.clusters.empty()) continue;
    Table table{"Clusters", {"blocks in a cluster", "clusters at once", "SMs that stay idle"}};
    for (const ClusterFit& fit : map.clusters) {
      table.add(
          {count_words(fit.blocks), count_words(fit.under_model()), runs_words(fit.idle_sms)});
    }
    section.add(std::move(table));
  }
  return section;
}

Section clusters_section(const FleetSummary& summary) {
  Table table{
      "Clusters at once",
      {"product", "blocks in a cluster", "least", "median", "most", "a GPU with the least"}};
  for (const FleetClusters& each : summary.clusters) {
    table.add({each.product, count_words(each.blocks), count_words(each.least()),
               count_words(each.median()), count_words(each.most()), each.worst});
  }
  return {"Clusters at once",
          {std::move(table),
           "Of blocks that fill an SM, on the idle GPU, each under its own mechanism and map."}};
}

void add_remarks(Page& page, const char* title, const std::vector<Remark>& remarks) {
  if (remarks.empty()) return;
  Table table{title, {"", "GPUs", "which"}, {}, kRows};
  for (const Remark& remark : remarks) {
    table.add({remark.what, count_words(remark.gpus.size()), some_of(remark.gpus)});
  }
  page.add({title, {std::move(table)}});
}

void add_unreached(Page& page, const FleetSummary& summary) {
  if (!summary.unfinished.empty()) {
    page.add(
        {"Begun and not done", {List{{summary.unfinished.begin(), summary.unfinished.end()}}}});
  }
  if (summary.unreached.empty()) return;
  Table table{"Not reached", {"node", "GPUs", "reached", "why"}, {}, kRows};
  for (const UnreachedNode& each : summary.unreached) {
    table.add({each.node.name, count_words(each.node.gpus), count_words(each.reached),
               fmt::format("{}", fmt::join(each.reasons, "; "))});
  }
  page.add({"Not reached", {std::move(table)}});
}

Json remarks_json(const std::vector<Remark>& remarks) {
  Json json = Json::array();
  for (const Remark& remark : remarks)
    json.push_back({{"what", remark.what}, {"gpus", remark.gpus}});
  return json;
}

int left_out(const FleetSummary& summary) {
  int gpus = 0;
  for (const UnreachedNode& each : summary.unreached) gpus += each.node.gpus - each.reached;
  return gpus + static_cast<int>(summary.unfinished.size());
}

}  // namespace

std::string difference_file(const ClassDifference& difference) {
  if (!difference.comparison.distinction) return "";
  return fmt::format("differences/{}-{}.json", difference.a + 1, difference.b + 1);
}

Page fleet_page(const FleetSummary& summary, const std::string& folder) {
  Page page;
  page.title = "A fleet of " + gpus_words(summary.gpus);
  page.written_by = "Written by " + code("cuvier fleet report") + ". ";
  page.about = fmt::format("Of what tasks found in {}.", folder);
  page.verdict = fmt::format("{}: {}, {}", gpus_words(summary.gpus),
                             counted(different_mechanisms(summary), "mechanism"),
                             counted(summary.maps.size(), "map"));
  if (!summary.unexplained.empty()) page.verdict += ", and some that none explains";
  if (const int left = left_out(summary)) {
    page.verdict += fmt::format("; {} not done", gpus_words(left));
  }
  page.tone =
      summary.unexplained.empty() && summary.odd.empty() ? Page::Tone::good : Page::Tone::open;
  page.add(mechanisms_section(summary));
  if (!summary.differences.empty()) page.add(differences_section(summary));
  add_remarks(page, "Explained by none", summary.unexplained);
  page.add(maps_section(summary));
  if (!summary.maps.empty()) page.add(pictures_section(summary));
  if (!summary.clusters.empty()) page.add(clusters_section(summary));
  add_remarks(page, "Facts that differ from the device file", summary.facts);
  add_remarks(page, "Odd ones", summary.odd);
  add_unreached(page, summary);
  return page;
}

nlohmann::ordered_json fleet_json(const FleetSummary& summary) {
  Json json = {
      {"gpus", summary.gpus}, {"mechanisms", Json::array()}, {"differences", Json::array()}};
  for (const MechanismClass& each : summary.mechanisms) {
    json["mechanisms"].push_back({{"product", each.product},
                                  {"mechanism", to_json(each.mechanism)},
                                  {"order", each.mechanism.order},
                                  {"gpus", each.gpus}});
  }
  for (const ClassDifference& each : summary.differences) {
    Json difference =
        comparison_json(each.comparison, summary.mechanisms[each.a].device,
                        summary.mechanisms[each.a].mechanism, summary.mechanisms[each.b].mechanism);
    difference["mechanisms"] = {each.a, each.b};
    json["differences"].push_back(std::move(difference));
  }
  json["unexplained"] = remarks_json(summary.unexplained);
  json["maps"] = Json::array();
  for (const MapClass& each : summary.maps) {
    Json map = {
        {"product", each.product}, {"gpus", each.gpus}, {"gpc_of_sm", each.device.gpc_of_sm}};
    if (!each.device.tpc_of_sm.empty()) map["tpc_of_sm"] = each.device.tpc_of_sm;
    map["clusters"] = Json::array();
    for (const ClusterFit& fit : each.clusters) {
      map["clusters"].push_back(
          {{"blocks", fit.blocks}, {"at_once", fit.under_model()}, {"idle_sms", fit.idle_sms}});
    }
    json["maps"].push_back(std::move(map));
  }
  json["without_map"] = summary.without_map;
  json["clusters"] = Json::array();
  for (const FleetClusters& each : summary.clusters) {
    Json counts = Json::array();
    for (const auto& [clusters, gpus] : each.gpus) {
      counts.push_back({{"at_once", clusters}, {"gpus", gpus}});
    }
    json["clusters"].push_back({{"product", each.product},
                                {"blocks", each.blocks},
                                {"least", each.least()},
                                {"median", each.median()},
                                {"most", each.most()},
                                {"worst", each.worst},
                                {"counts", std::move(counts)}});
  }
  json["facts"] = remarks_json(summary.facts);
  json["odd"] = remarks_json(summary.odd);
  json["unfinished"] = summary.unfinished;
  json["unreached"] = Json::array();
  for (const UnreachedNode& each : summary.unreached) {
    json["unreached"].push_back({{"node", each.node.name},
                                 {"gpus", each.node.gpus},
                                 {"reached", each.reached},
                                 {"reasons", each.reasons}});
  }
  return json;
}

Page fleet_status_page(const FleetStatus& status, const std::map<std::string, int>& waiting) {
  Page page;
  page.verdict =
      fmt::format("{} of {} done, {} at work, {} stopped, {} not begun", count_words(status.done),
                  gpus_words(status.gpus), count_words(status.at_work.size()),
                  count_words(status.stopped.size()), count_words(status.not_begun()));
  if (status.done > 0) {
    page.numbers.emplace_back("a GPU takes", duration_words(status.seconds) + " on average");
  }
  if (status.seconds_left() > 0) {
    page.numbers.emplace_back("left", "about " + roughly(status.seconds_left()));
  }
  for (const auto& [reason, tasks] : waiting) {
    page.numbers.emplace_back("in the queue",
                              fmt::format("{}: {}", counted(tasks, "task"), reason));
  }
  if (!status.at_work.empty()) page.add({"At work", {some_of(status.at_work)}});
  if (!status.stopped.empty()) {
    Table table{"Stopped", {"", "why"}, {}, kRows};
    for (const auto& [gpu, why] : status.stopped) table.add({gpu, why});
    page.add({"Stopped", {std::move(table), "The same cuvier fleet submit goes on with these."}});
  }
  return page;
}

nlohmann::ordered_json fleet_status_json(const FleetStatus& status,
                                         const std::map<std::string, int>& waiting) {
  Json json = {{"gpus", status.gpus},
               {"done", status.done},
               {"at_work", status.at_work},
               {"stopped", Json::array()},
               {"not_begun", status.not_begun()},
               {"seconds_each", rounded_seconds(status.seconds)},
               {"seconds_left", rounded_seconds(status.seconds_left())},
               {"waiting", waiting}};
  for (const auto& [gpu, why] : status.stopped) {
    json["stopped"].push_back({{"gpu", gpu}, {"why", why}});
  }
  return json;
}

}  // namespace cuvier
