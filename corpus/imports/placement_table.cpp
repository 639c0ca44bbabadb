#include <fmt/format.h>

#include <map>
#include <utility>

#include "corpus/imports/csv.h"
#include "corpus/imports/imports.h"
#include "probes/an_error.h"

namespace cuvier {
namespace {

/// A launch: the name of its kernel, and its cluster.
using Key = std::pair<std::string, std::optional<int>>;

/// The SM of each block of each launch.
std::map<Key, std::map<int, int>> read_launches(const std::string& path, const Device& device) {
  Csv table(path);
  const auto block_column = table.find({"block", "block_id"});
  const auto sm_column = table.find({"sm", "sm_id", "smid"});
  const auto kernel = table.find({"kernel"});
  const auto cluster = table.find({"cluster_size"});
  if (!block_column || !sm_column) {
    table.fail(
        "the first line must name the columns, a block and an sm (or block_id, sm_id) among them");
  }
  constexpr int most_blocks = 10'000'000;
  std::map<Key, std::map<int, int>> launches;
  while (table.next()) {
    Key key{kernel ? table.text(*kernel) : "k1", std::nullopt};
    if (cluster) key.second = table.number(*cluster, 1, most_blocks);
    const int block = table.number(*block_column, 0, most_blocks);
    const int sm = table.number(*sm_column, 0, device.sms - 1);
    if (!launches[key].try_emplace(block, sm).second) {
      table.fail(fmt::format("block {} is there twice", block));
    }
  }
  if (launches.empty()) table.fail("holds no block");
  return launches;
}

}  // namespace

std::vector<Recording> import_placements(const std::string& path, const Device& device,
                                         const Launched& launched) {
  std::vector<Recording> recordings;
  for (const auto& [key, sm_of] : read_launches(path, device)) {
    const auto& [kernel, cluster] = key;
    const int blocks = static_cast<int>(sm_of.size());
    const std::string name = cluster ? fmt::format("{}-cluster-{}", kernel, *cluster) : kernel;
    if (sm_of.rbegin()->first != blocks - 1) {
      throw an_error("{}: of {} there are {} blocks, and one of them is number {}", path, name,
                     blocks, sm_of.rbegin()->first);
    }
    std::vector<int> first;
    std::map<int, int> held;
    for (const auto& [block, sm] : sm_of) {
      if (launched.blocks_per_sm && ++held[sm] > *launched.blocks_per_sm) break;
      first.push_back(sm);
    }
    if (cluster) first.resize(first.size() / *cluster * *cluster);
    Recording recording;
    recording.probe = {name,
                       {{kernel, blocks, launched.threads, launched.registers, launched.shared, 0,
                         0, std::nullopt, cluster}},
                       {{0, {}}}};
    recording.facts = {{Fact::Kind::sm, 0, 0, std::move(first), {}}};
    recording.where = path;
    recordings.push_back(std::move(recording));
  }
  return recordings;
}

}  // namespace cuvier
