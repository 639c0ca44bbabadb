#include "reports/mismatch_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/words.h"

namespace cuvier {
namespace {

constexpr int most_others = 10;  // recordings that are listed without their facts

std::string mismatch_text(const Mismatch& mismatch) {
  const std::string step =
      mismatch.fact.step < 0 ? "" : fmt::format("step {}, ", mismatch.fact.step);
  return fmt::format("    {}{}\n      seen:      {}\n      predicted: {}\n", step, mismatch.kernel,
                     mismatch.seen, mismatch.predicted);
}

}  // namespace

std::string mismatches_text(const std::vector<Mismatch>& mismatches, int most_of_kind) {
  std::string text = "\n";
  std::string rest;
  int others = 0;  // recordings of which nothing is shown
  int unlisted = 0;
  std::map<Fact::Kind, int> shown_of_kind;
  for (auto first = mismatches.begin(); first != mismatches.end();) {
    // Of one recording: they come in order, and names may repeat where places do not, or as well.
    const auto end = std::find_if(first, mismatches.end(), [&](const Mismatch& m) {
      return m.recording != first->recording || m.where != first->where;
    });
    std::string facts;
    int hidden = 0;
    for (auto it = first; it != end; ++it) {
      if (++shown_of_kind[it->fact.kind] > most_of_kind) {
        ++hidden;
      } else {
        facts += mismatch_text(*it);
      }
    }
    if (facts.empty()) {
      if (++others <= most_others) {
        rest += fmt::format("  {}: {}\n", first->recording, count_words(hidden));
      } else {
        unlisted += hidden;
      }
    } else {
      text += fmt::format("  {} ({})\n{}", first->recording, first->where, facts);
      if (hidden > 0) text += fmt::format("    and {} more\n", count_words(hidden));
    }
    first = end;
  }
  if (rest.empty()) return text;
  if (unlisted > 0) {
    rest += fmt::format("  {}: {}\n", counted(others - most_others, "more recording"),
                        count_words(unlisted));
  }
  return text + "\nfacts wrong in other recordings (the JSON lists all):\n" + rest;
}

std::string pattern_words(const Pattern& pattern) {
  return fmt::format(
      "where it first goes wrong, all {} come with {} or {} {}{}; of the {} like them that it gets "
      "right, {}",
      count_words(pattern.wrong), count_words(pattern.threshold),
      pattern.at_least ? "more" : "fewer", pattern.property,
      pattern.so_far ? " of some kernel so far" : "", count_words(pattern.right),
      pattern.right_here == 0   ? "none does"
      : pattern.right_here == 1 ? "1 does"
                                : fmt::format("{} do", pattern.right_here));
}

std::string near_miss_text(const NearMiss& nearest) {
  constexpr int most_of_kind = 2;
  std::string text = fmt::format(
      "\nthe nearest that was found: {}\n  gets {} of {} wrong", model_words(nearest.hypothesis),
      count_words(static_cast<double>(nearest.wrong.size())), counted(nearest.facts, "fact"));
  if (nearest.pattern) text += ": " + pattern_words(*nearest.pattern);
  if (!nearest.never_used.empty()) {
    text += fmt::format("\n  no block was ever seen on SM{} {}, where it predicts some",
                        nearest.never_used.size() == 1 ? "" : "s", runs_words(nearest.never_used));
  }
  return text + '\n' + mismatches_text(nearest.wrong, most_of_kind);
}

}  // namespace cuvier
