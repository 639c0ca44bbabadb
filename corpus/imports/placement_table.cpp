#include "corpus/imports/placement_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "probes/error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    cells.emplace_back(trimmed(line.substr(at, end - at)));
    at = end + 1;
  }
  return cells;
}

/// A launch: the name of its kernel, and its cluster.
using Key = std::pair<std::string, std::optional<int>>;

class Table {
 public:
  Table(const std::string& path, const Device& device) : path_(path), device_(device) {}

  std::map<Key, std::map<int, int>> read() {
    std::istringstream lines(read_file(path_));
    std::string line;
    while (std::getline(lines, line)) {
      ++line_;
      if (trimmed(line).empty()) continue;
      columns_.empty() ? read_names(cells_of(line)) : read_block(cells_of(line));
    }
    if (launches_.empty()) fail("holds no block");
    return std::move(launches_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_, line_, what));
  }

  std::optional<std::size_t> find(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const auto at = std::ranges::find(columns_, name);
      if (at != columns_.end()) return at - columns_.begin();
    }
    return std::nullopt;
  }

  void read_names(std::vector<std::string> names) {
    columns_ = std::move(names);
    block_ = find({"block", "block_id"});
    sm_ = find({"sm", "sm_id", "smid"});
    kernel_ = find({"kernel"});
    cluster_ = find({"cluster_size"});
    if (!block_ || !sm_) {
      fail(
          "the first line must name the columns, a block and an sm (or block_id, sm_id) among "
          "them");
    }
  }

  int number(const std::vector<std::string>& cells, std::size_t column, int low, int high) const {
    const std::string& text = cells[column];
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
      fail(fmt::format("{} must be a whole number from {} to {}, not {}", columns_[column], low,
                       high, in_quotes(text)));
    }
    return value;
  }

  void read_block(const std::vector<std::string>& cells) {
    if (cells.size() != columns_.size()) {
      fail(fmt::format("has {} cells, and there are {} columns", cells.size(), columns_.size()));
    }
    constexpr int most_blocks = 10'000'000;
    Key key{kernel_ ? cells[*kernel_] : "k1", std::nullopt};
    if (cluster_) key.second = number(cells, *cluster_, 1, most_blocks);
    const int block = number(cells, *block_, 0, most_blocks);
    const int sm = number(cells, *sm_, 0, device_.sms - 1);
    if (!launches_[key].try_emplace(block, sm).second) {
      fail(fmt::format("block {} is there twice", block));
    }
  }

  const std::string& path_;
  const Device& device_;
  int line_ = 0;
  std::vector<std::string> columns_;
  std::optional<std::size_t> block_, sm_, kernel_, cluster_;
  std::map<Key, std::map<int, int>> launches_;
};

}  // namespace

std::vector<Recording> import_placements(const std::string& path, const Device& device,
                                         const Launched& launched) {
  std::vector<Recording> recordings;
  for (const auto& [key, sm_of] : Table(path, device).read()) {
    const auto& [kernel, cluster] = key;
    const int blocks = static_cast<int>(sm_of.size());
    const std::string name = cluster ? fmt::format("{}-cluster-{}", kernel, *cluster) : kernel;
    if (sm_of.rbegin()->first != blocks - 1) {
      throw Error(fmt::format("{}: of {} there are {} blocks, and one of them is number {}", path,
                              name, blocks, sm_of.rbegin()->first));
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
