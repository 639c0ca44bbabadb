#include "solver/evidence/doubt.h"

#include <algorithm>

namespace cuvier {
namespace {

// Where more of those that rephrase a doubted probe are doubted too, it was right.
constexpr int kMostDoubtedOfThem = 2;

/// Of so many probes, how many may be doubted at most: with one in twenty always wrong, there are
/// more once in several hundred inferences.
std::size_t most_doubted(std::size_t probes) { return 2 + probes / 10; }

}  // namespace

bool continues(const Probe& longer, const Probe& shorter) {
  return longer.script.size() > shorter.script.size() &&
         longer.kernels.size() >= shorter.kernels.size() &&
         std::equal(shorter.kernels.begin(), shorter.kernels.end(), longer.kernels.begin()) &&
         std::equal(shorter.script.begin(), shorter.script.end(), longer.script.begin());
}

bool may_be_doubted(std::span<const Runs> asked, const Subset& doubted) {
  if (doubted.size() > most_doubted(asked.size())) return false;
  return std::ranges::none_of(doubted, [&](std::size_t i) {
    return std::ranges::count_if(doubted, [&](std::size_t j) {
             return continues(asked[j].probe(), asked[i].probe());
           }) > kMostDoubtedOfThem;
  });
}

int times_rephrased(std::span<const Runs> asked, std::size_t index) {
  const Probe& probe = asked[index].probe();
  const bool is_such = std::ranges::any_of(
      asked, [&](const Runs& other) { return continues(probe, other.probe()); });
  if (is_such) return kRephrased;
  return static_cast<int>(std::ranges::count_if(
      asked, [&](const Runs& other) { return continues(other.probe(), probe); }));
}

std::optional<std::string> doubted_too_soon(
    std::span<const Runs> asked, const std::vector<Correction<VersionSpace>>& corrections) {
  for (const auto& correction : corrections) {
    for (const std::size_t i : correction.without) {
      if (times_rephrased(asked, i) < kRephrased) return asked[i].probe().name;
    }
  }
  return std::nullopt;
}

}  // namespace cuvier
