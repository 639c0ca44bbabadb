#include "probes/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/json_fields.h"

namespace cuvier {
namespace {

/// Letters to insert, leave out, replace, or swap with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> least(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        least[i][j] = i + j;
        continue;
      }
      const bool same = a[i - 1] == b[j - 1];
      least[i][j] = std::min(
          {least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
      }
    }
  }
  return least[a.size()][b.size()];
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view name,
                                             const std::vector<std::string_view>& names) {
  constexpr std::size_t longest = 64;  // no name is longer
  std::optional<std::string_view> nearest;
  std::size_t least = 3;
  for (const std::string_view known : names) {
    if (std::max(name.size(), known.size()) > longest) continue;
    const std::size_t away = distance(name, known);
    if (away >= least || away > known.size() / 3) continue;
    nearest = known;
    least = away;
  }
  return nearest;
}

std::string in_quotes_with_hint(std::string_view name, const std::vector<std::string_view>& names) {
  const auto nearest = nearest_name(name, names);
  return nearest ? fmt::format("{} (did you mean {}?)", in_quotes(name), *nearest)
                 : in_quotes(name);
}

}  // namespace cuvier
