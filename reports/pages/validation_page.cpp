#include "reports/pages/validation_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "probes/json_fields.h"
#include "reports/minimised_text.h"
#include "reports/mismatch_json.h"
#include "reports/validation_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

constexpr std::size_t most_shown = 200;

std::string step_words(const Mismatch& wrong) {
  return wrong.fact.step < 0 ? "" : fmt::format("{}", wrong.fact.step);
}

Section sequences_section(const Validation& validation) {
  Section section{"What was asked", 2, {}};
  Table table{
      "Sequences by generator", {"generator", "asked", "wrong", "unsettled", "refused"}, {}};
  for (const Validation::Tally& tally : validation.tallies) {
    if (tally.asked + tally.refused == 0) continue;
    table.rows.push_back({std::string(tally.generator), count_words(tally.asked),
                          count_words(tally.wrong), count_words(tally.unsettled),
                          count_words(tally.refused)});
  }
  section.items.emplace_back(std::move(table));
  List refusals;
  for (const auto& [reason, last] : validation.refusals) {
    refusals.lines.emplace_back(fmt::format("refused ({}), the last: {}", reason, last));
  }
  if (!refusals.lines.empty()) section.items.emplace_back(std::move(refusals));
  if (validation.unsettled() > 0) {
    section.items.emplace_back(
        Text("Unsettled: went another way only after several blocks left at once while others "
             "waited. Real hardware lets them go one by one, in an order that nobody knows."));
  }
  return section;
}

Section wrong_section(const std::vector<Contradiction>& contradictions) {
  Section section{"Sequences that went otherwise", 2, {}};
  Table table{
      "Sequences that went otherwise",
      {"sequence", "generator", "facts wrong", "first in step", "kernel", "seen", "predicted"},
      {}};
  for (const Contradiction& one : contradictions) {
    if (table.rows.size() == most_shown) break;
    table.rows.push_back({one.first.recording, one.generator, count_words(one.facts_wrong),
                          step_words(one.first), one.first.kernel, one.first.seen,
                          one.first.predicted});
  }
  section.items.emplace_back(std::move(table));
  if (contradictions.size() > most_shown) {
    section.items.emplace_back(
        Text(fmt::format("And {} more.", count_words(static_cast<double>(contradictions.size()) -
                                                     static_cast<double>(most_shown)))));
  }
  return section;
}

Section smallest_section(const SmallestContradiction& smallest, const Device& device) {
  Section section{"The first one, made small", 2, {}};
  if (smallest.with_previous) {
    section.items.emplace_back(
        Text("With the sequence before it, which left state behind that has a part in it."));
  }
  section.items.emplace_back(Text(fmt::format(
      "{}. Asked again {}, wrong {}.",
      smallest.unfinished.empty() ? std::string(one_minimal_words)
                                  : "A smaller one may be left: " + smallest.unfinished,
      counted(smallest.asked_again, "time"), counted(smallest.disagreed_again, "time"))));
  if (smallest.answer) {
    Json recording = to_json(*smallest.answer);
    recording["wrong"] = wrong_placements_json(smallest.wrong);
    section.items.emplace_back(
        Map{to_json(device), "as seen", "as predicted", Json::array({std::move(recording)})});
  }
  Table table{"Facts that are predicted otherwise", {"step", "kernel", "seen", "predicted"}, {}};
  for (const Mismatch& wrong : smallest.wrong) {
    if (table.rows.size() == most_shown) break;
    table.rows.push_back({step_words(wrong), wrong.kernel, wrong.seen, wrong.predicted});
  }
  section.items.emplace_back(std::move(table));
  section.items.emplace_back(Source{"json", to_json(smallest.minimised.probe).dump()});
  return section;
}

}  // namespace

Page validation_page(const Validation& validation) {
  const int asked = validation.asked();
  const int wrong = static_cast<int>(validation.contradictions.size());
  Page page;
  page.title = "How " + Text(model_words(validation.model)) + " predicts";
  page.about = "Written by " + code("cuvier validate") +
               fmt::format(", seed {}. {} ({}, {}). Asked: {}.", validation.seed,
                           validation.device.name, validation.device.architecture,
                           counted(validation.device.sms, "SM"), validation.oracle);
  page.verdict = validation_verdict(validation);
  page.tone = wrong > 0                   ? Page::Tone::bad
              : asked < validation.wanted ? Page::Tone::open
                                          : Page::Tone::good;
  page.numbers = {{"sequences",
                   asked < validation.wanted
                       ? fmt::format("{} of {}", count_words(asked), count_words(validation.wanted))
                       : count_words(asked)},
                  {"wrong", count_words(wrong)},
                  {"wrong at most", percent_words(most_disagreement(wrong, asked))},
                  {"time", duration_words(validation.seconds)}};
  page.sections.push_back(sequences_section(validation));
  if (wrong > 0) page.sections.push_back(wrong_section(validation.contradictions));
  if (validation.smallest) {
    page.sections.push_back(smallest_section(*validation.smallest, validation.device));
  }
  if (!validation.not_minimised.empty()) {
    page.sections.push_back({"Not made small", 2, {Text(validation.not_minimised + ".")}});
  }
  return page;
}

}  // namespace cuvier
