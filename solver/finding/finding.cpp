#include "solver/finding/finding.h"

#include <cmath>
#include <utility>

#include "probes/named.h"

namespace cuvier {

std::string_view name_of(Verdict verdict) {
  return named(verdict, {"identified", "ambiguous", "refuted", "undecided"});
}

Finding ended_as(Verdict verdict, std::string reason) {
  Finding finding;
  finding.verdict = verdict;
  finding.reason = std::move(reason);
  return finding;
}

double told_bits(const Finding& finding) {
  return std::log2(finding.count.initial / finding.count.remaining);
}

int fewest_probes(const Finding& finding) {
  if (finding.most_bits <= 0 || !finding.mechanism) return 0;
  if (finding.mechanism->get<TieBreak>() == TieBreak::learned) return 0;
  constexpr double rounding = 1e-9;
  return static_cast<int>(std::ceil(told_bits(finding) / finding.most_bits - rounding));
}

}  // namespace cuvier
