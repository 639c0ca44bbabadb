#include "solver/invention/candidate_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "hypotheses/axes/selection.h"
#include "solver/invention/formula_forms.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostCuts = 64;  ///< through what a name can be

int largest_of(const Numbers& column) { return *std::max_element(column.begin(), column.end()); }

}  // namespace

std::vector<CandidateKey> candidate_keys(std::span<const Numbers> columns,
                                         std::span<const FormulaName> names_of_blocks, KeysOf of) {
  std::vector<CandidateKey> keys;
  const auto add = [&](std::string text, int size) { keys.push_back({std::move(text), size}); };
  for (const FormulaName& name : Selection::names) add(std::string(name.name), 1);
  // Whether the kernel that a rule of marks remembers is the block's own.
  add("mark == joined + 1 ? 0 : 1", 5);
  if (of == KeysOf::names) return keys;
  for (const std::string_view name : {"room", "warps", "blocks"}) {
    add(fmt::format("power({} + 1)", name), 4);
  }
  for (std::size_t n = 0; n < columns.size(); ++n) {
    const std::set<int> values(columns[n].begin(), columns[n].end());
    if (values.size() > kMostCuts) continue;
    for (const int cut : values) {
      add(fmt::format("{} < {} ? 0 : 1", Selection::names[n].name, cut), 5);
    }
  }
  // Where the kernel's block before went, or its first; and in which of so many parts that is.
  add("abs(sm - previous)", 2);
  add("abs(sm - home)", 8);
  add("gpc == home_gpc ? 0 : 1", 5);
  for (const std::string_view other : {"previous", "home"}) {
    add(fmt::format("sm == {} ? 0 : 1", other), 5);
    add(fmt::format("sm / 2 == {} / 2 ? 0 : 1", other), 5);
    add(fmt::format("sm != {0} and sm / 2 == {0} / 2 ? 0 : 1", other), 7);
    for (const int parts : {2, 3, 4}) {
      add(fmt::format("sm * {0} / sms == {1} * {0} / sms ? 0 : 1", parts, other), 5);
      add(fmt::format("sm mod {0} == {1} mod {0} ? 0 : 1", parts, other), 5);
    }
  }
  // A grid in so many parts, each on its part of the device.
  for (const int parts : usual_parts) {
    add(fmt::format("sm * {0} / sms == placed * {0} / (placed + left) ? 0 : 1", parts), 7);
  }
  const auto is_of_blocks = [&](const FormulaName& name) {
    return std::ranges::find(names_of_blocks, name.name, &FormulaName::name) !=
           names_of_blocks.end();
  };
  // For a kernel's first block each SM reads itself: what is made of that would hold by chance.
  const auto is_own_at_first = [](const FormulaName& name) {
    return name.name.starts_with("home") || name.name == "previous";
  };
  for (const FormulaName& a : Selection::names) {
    if (is_of_blocks(a) || is_own_at_first(a)) continue;
    for (const int number : {2, 4, 8, 16}) {
      add(fmt::format("{} mod {}", a.name, number), 3);
      add(fmt::format("{} / {}", a.name, number), 3);
      add(fmt::format("min({}, {})", a.name, number), 3);
    }
    // How much of what comes in thousands, coarsely.
    const Numbers& column = columns[static_cast<std::size_t>(&a - Selection::names)];
    for (int unit = 256; unit <= largest_of(column) / 2; unit *= 2) {
      add(fmt::format("{} / {}", a.name, unit), 3);
    }
    // Beside what the TPC's other SMs hold.
    add(fmt::format("{} + tpc_blocks - blocks", a.name), 5);
    add(fmt::format("{} - tpc_blocks + blocks", a.name), 5);
    add(fmt::format("{} * 2 / sms", a.name), 5);
    add(fmt::format("({} + 1) mod sms", a.name), 5);
    for (const FormulaName& b : Selection::names) {
      if (&a == &b || is_own_at_first(b)) continue;
      for (const std::string_view op : {"+", "-", "*", "/", "mod"}) {
        add(fmt::format("{} {} {}", a.name, op, b.name), 3);
      }
      if (is_of_blocks(b) || &a < &b) {
        for (const std::string_view function : {"min", "max"}) {
          add(fmt::format("{}({}, {})", function, a.name, b.name), 3);
        }
      }
      if (!is_of_blocks(b)) continue;
      // Where an order begins that goes on with each block or kernel, or past it.
      for (const std::string_view unit : {"2", "4", "sms"}) {
        add(fmt::format("({} + {}) mod {}", a.name, b.name, unit), 5);
        add(fmt::format("({} - {}) mod {}", a.name, b.name, unit), 5);
      }
      add(fmt::format("({} * 2 / sms + {}) mod 2", a.name, b.name), 9);
      add(fmt::format("({} + {} + 1) mod sms", a.name, b.name), 7);
      add(fmt::format("({} - {} - 1) mod sms", a.name, b.name), 7);
    }
  }
  return keys;
}

}  // namespace cuvier
