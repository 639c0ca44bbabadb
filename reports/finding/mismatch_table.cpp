#include "reports/finding/mismatch_table.h"

#include <fmt/format.h>

#include <map>

#include "reports/document/words.h"

namespace cuvier {
namespace {

std::string place_words(const Mismatch& wrong) {
  return wrong.where.empty() ? wrong.recording
                             : fmt::format("{} ({})", wrong.recording, wrong.where);
}

}  // namespace

Table mismatch_table(const std::vector<Mismatch>& mismatches) {
  Table table{"Facts that are predicted otherwise",
              {"recording", "step", "kernel", "seen", "predicted"},
              {}};
  for (const Mismatch& wrong : mismatches) {
    table.rows.push_back({place_words(wrong),
                          wrong.fact.step < 0 ? "" : fmt::format("{}", wrong.fact.step),
                          wrong.kernel, wrong.seen, wrong.predicted});
  }
  return table;
}

void add_mismatches(Section& section, const std::vector<Mismatch>& mismatches, int most_of_kind) {
  constexpr std::size_t most_others = 10;
  std::map<Fact::Kind, int> of_kind;
  std::vector<Mismatch> shown;
  Table others{"Facts wrong in other recordings", {"", "other facts"}, {}};
  others.in_short = most_others;
  std::string place;
  int hidden = 0;  // of the recording at this place
  const auto add_hidden = [&] {
    if (hidden > 0) others.rows.push_back({place, count_words(hidden)});
    hidden = 0;
  };
  for (const Mismatch& wrong : mismatches) {
    if (const std::string now = place_words(wrong); now != place) {
      add_hidden();
      place = now;
    }
    if (++of_kind[wrong.fact.kind] > most_of_kind) {
      ++hidden;
    } else {
      shown.push_back(wrong);
    }
  }
  add_hidden();
  section.add(mismatch_table(shown));
  if (others.rows.empty()) return;
  section.add(
      Text(counted(mismatches.size() - shown.size(), "more fact") + " (the JSON lists all):"));
  section.add(std::move(others));
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

Section near_miss_section(const NearMiss& nearest) {
  constexpr int most_of_kind = 2;
  Section section{"The nearest that was found", 2, {Text(model_words(nearest.hypothesis))}};
  section.say("It gets {} of {} wrong{}.", count_words(nearest.wrong.size()),
              counted(nearest.facts, "fact"),
              nearest.pattern ? ": " + pattern_words(*nearest.pattern) : "");
  if (!nearest.never_used.empty()) {
    section.say("No block was ever seen on SM{} {}, where it predicts some.",
                nearest.never_used.size() == 1 ? "" : "s", runs_words(nearest.never_used));
  }
  add_mismatches(section, nearest.wrong, most_of_kind);
  return section;
}

}  // namespace cuvier
