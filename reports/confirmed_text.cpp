#include "reports/confirmed_text.h"

#include <fmt/format.h>

#include "reports/words.h"

namespace cuvier {

std::string confirmed_text(const Confirmed& confirmed) {
  std::string missing;
  int classes = 0;
  int covered = 0;
  for (const CoveredFeature& feature : confirmed.features) {
    std::string not_seen;
    for (const auto& [name, launches] : feature.classes) {
      ++classes;
      covered += launches > 0 ? 1 : 0;
      if (launches == 0) not_seen += (not_seen.empty() ? "" : ", ") + std::string(name);
    }
    if (!not_seen.empty()) missing += fmt::format("    {}: {}\n", feature.name, not_seen);
  }
  std::string text = fmt::format(
      "\nconfirmed by {} more, in {} with those before:\n"
      "  {} a documented limit\n"
      "  launches of {} of {} kinds, and {} pairs of kinds\n"
      "  each change of one axis was looked for in launches of several kinds, {} pairs in all\n",
      counted(confirmed.probes, "probe"), counted(confirmed.sessions, "session"),
      confirmed.limits == 1 ? "1 fills" : fmt::format("{} fill", count_words(confirmed.limits)),
      count_words(covered), count_words(classes), count_words(confirmed.pairs),
      count_words(confirmed.pairs_of_change));
  if (!missing.empty()) text += "  kinds of launches that were not asked:\n" + missing;
  return text;
}

}  // namespace cuvier
