#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/document/words.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

int idle_in(const std::vector<int>& gpc, const ClusterFit& fit) {
  return static_cast<int>(
      std::ranges::count_if(fit.idle_sms, [&](int sm) { return std::ranges::count(gpc, sm) > 0; }));
}

Table sizes_table(const ClusterFits& fits, const Device& device) {
  Table table{"Clusters at once",
              {"blocks in a cluster", "wherever they go, at least", "under the model", "at most",
               "SMs are enough for", "SMs that stay idle"}};
  for (const ClusterFit& fit : fits.sizes) {
    table.add({count_words(fit.blocks), count_words(fit.least), count_words(fit.under_model()),
               count_words(fit.most), count_words(device.sms * fits.blocks_per_sm / fit.blocks),
               count_words(fit.idle_sms.size())});
  }
  return table;
}

/// A cluster is on one GPC: what is left of one is why SMs stay idle. GPCs that have the same of
/// each size share a column.
Table gpcs_table(const ClusterFits& fits) {
  std::vector<std::pair<std::vector<std::string>, std::vector<int>>> alike;  // with first SMs
  for (std::size_t g = 0; g < fits.gpcs.size(); ++g) {
    const std::vector<int>& gpc = fits.gpcs[g];
    std::vector<std::string> column = {count_words(gpc.size())};
    for (const ClusterFit& fit : fits.sizes) {
      const int idle = idle_in(gpc, fit);
      column.push_back(fmt::format("{}{}", fit.in_gpc[g],
                                   idle == 0 ? "" : fmt::format(", {} idle", counted(idle, "SM"))));
    }
    auto same = std::ranges::find(alike, column, [](const auto& each) { return each.first; });
    if (same == alike.end()) same = alike.insert(same, {std::move(column), {}});
    same->second.push_back(gpc.front());
  }
  Table table{"Clusters of each GPC", {"blocks in a cluster"}, {{"(SMs of the GPC)"}}};
  for (const ClusterFit& fit : fits.sizes) table.add({count_words(fit.blocks)});
  for (const auto& [column, gpcs] : alike) {
    table.headings.push_back(
        fmt::format("{} of SM {}", gpcs.size() == 1 ? "GPC" : "each GPC", fmt::join(gpcs, ", ")));
    for (std::size_t row = 0; row < column.size(); ++row) table.rows[row].emplace_back(column[row]);
  }
  return table;
}

Table dies_table(const std::vector<OnDies>& sizes) {
  Table table{"Clusters on several dies",
              {"blocks in a cluster", "on the die with fewest", "on the die with most"}};
  for (const OnDies& size : sizes) {
    table.add({count_words(size.blocks), count_words(size.least), count_words(size.most)});
  }
  return table;
}

std::string verdict(const ClusterFits& fits) {
  std::vector<std::string> counts;
  for (const ClusterFit& fit : fits.sizes) {
    counts.push_back(fmt::format("{} of {}", count_words(fit.under_model()), fit.blocks));
  }
  return fmt::format("{}: clusters at once are {}", fits.kernel, fmt::join(counts, ", "));
}

}  // namespace

Page clusters_page(const std::vector<ClusterFits>& kernels,
                   const std::vector<std::vector<OnDies>>& on_dies, const Model& model) {
  Page page;
  page.about = fmt::format("On the idle {}, under {}.", model.device.name, model_words(model));
  std::vector<std::string> verdicts;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const ClusterFits& fits = kernels[k];
    verdicts.push_back(verdict(fits));
    page.add({fmt::format("{} ({} on an SM)", fits.kernel, counted(fits.blocks_per_sm, "block")),
              {sizes_table(fits, model.device)}});
    if (!on_dies.empty()) page.add({"Under the model, on all dies", {dies_table(on_dies[k])}});
    page.add({"Under the model, by GPC", {gpcs_table(fits)}});
  }
  page.verdict = fmt::format("{}", fmt::join(verdicts, "\n"));
  Section note{"", {}};
  note.say(
      "A cluster is on one GPC. What is left of a GPC once no further cluster has room there stays "
      "idle. What can be there at once, the most, is what cudaOccupancyMaxActiveClusters is "
      "documented to tell; nobody has compared the two.");
  page.add(std::move(note));
  return page;
}

nlohmann::ordered_json clusters_json(const std::vector<ClusterFits>& kernels,
                                     const std::vector<std::vector<OnDies>>& on_dies,
                                     const Model& model) {
  Json json = answered_by(model);
  json["kernels"] = Json::object();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const ClusterFits& fits = kernels[k];
    Json& kernel = json["kernels"][fits.kernel];
    kernel = {{"blocks_per_sm", fits.blocks_per_sm}, {"clusters", Json::array()}};
    for (const ClusterFit& fit : fits.sizes) {
      Json& size = kernel["clusters"].emplace_back();
      size = {{"blocks", fit.blocks},
              {"least", fit.least},
              {"under_model", fit.under_model()},
              {"most", fit.most},
              {"sms_for", model.device.sms * fits.blocks_per_sm / fit.blocks},
              {"idle_sms", fit.idle_sms},
              {"gpcs", Json::array()}};
      for (std::size_t g = 0; g < fits.gpcs.size(); ++g) {
        size["gpcs"].push_back({{"sms", fits.gpcs[g]}, {"clusters", fit.in_gpc[g]}});
      }
    }
    if (on_dies.empty()) continue;
    kernel["on_dies"] = Json::array();
    for (const auto& [blocks, least, most] : on_dies[k]) {
      kernel["on_dies"].push_back({{"blocks", blocks}, {"least", least}, {"most", most}});
    }
  }
  return json;
}

}  // namespace cuvier
