#include <fmt/format.h>

#include <cmath>

#include "hypotheses/assumptions.h"
#include "probes/json_fields.h"
#include "reports/comparison/comparison_report.h"
#include "reports/document/json_text.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"
#include "reports/finding/model_json.h"
#include "reports/port/port_report.h"

namespace cuvier {
namespace {

constexpr std::size_t most_in_short = 10;  // contradictions, and facts of the smallest one
constexpr std::size_t most_shown = 200;

/// A rate in percent, rounded up to two digits: "0.3 %".
std::string percent_words(double rate) {
  if (rate <= 0) return "0 %";
  const double percent = 100 * rate;
  const double unit = std::pow(10, std::floor(std::log10(percent)) - 1);
  constexpr double rounding_error = 1e-9;
  return fmt::format("{:.3g} %", std::ceil(percent / unit - rounding_error) * unit);
}

/// How it ended, in a sentence.
std::string verdict_of(const Validation& validation) {
  const int asked = validation.asked();
  const int wrong = static_cast<int>(validation.contradictions.size());
  const std::string interrupted =
      asked < validation.wanted ? fmt::format("interrupted after {} of {}: ", count_words(asked),
                                              counted(validation.wanted, "sequence"))
                                : "";
  if (asked == 0) return interrupted + "nothing is known yet: no sequence was answered";
  const std::string agreed =
      wrong == 0 ? fmt::format("agreed: {} went",
                               asked == 1 ? "the one sequence"
                                          : fmt::format("all of {}", counted(asked, "sequence")))
                 : fmt::format("contradicted: {} of {} went", count_words(asked - wrong),
                               counted(asked, "sequence"));
  return fmt::format(
      "{}{} as {} predicts; at {:.0f} % confidence it is wrong on at most {} of such", interrupted,
      agreed, model_words(validation.model), 100 * kConfidence,
      percent_words(most_disagreement(wrong, asked)));
}

Section sequences_section(const Validation& validation) {
  Section section{"What was asked", {}};
  Table table{"Sequences by generator", {"generator", "asked", "wrong", "unsettled", "refused"}};
  for (const Validation::Tally& tally : validation.tallies) {
    if (tally.asked + tally.refused == 0) continue;
    table.add({std::string(tally.generator), count_words(tally.asked), count_words(tally.wrong),
               count_words(tally.unsettled), count_words(tally.refused)});
  }
  section.add(std::move(table));
  for (const auto& [reason, last] : validation.refusals) {
    section.say("Refused ({}), the last: {}", reason, last);
  }
  if (validation.unsettled() > 0) {
    section.add(
        Text("Unsettled: went another way only after several blocks left at once while others "
             "waited. Real hardware lets them go one by one, in an order that nobody knows."));
  }
  if (validation.sessions > 1 && !validation.contradictions.empty()) {
    section.add(Text(counted(validation.sessions, "session") +
                     ": one ends after a sequence that went otherwise, after 50, and where the "
                     "oracle lost its state."));
  }
  return section;
}

Section wrong_section(const std::vector<Contradiction>& contradictions) {
  Section section{"Sequences that went otherwise", {}};
  Table table{
      "Sequences that went otherwise",
      {"sequence", "generator", "facts wrong", "first in step", "kernel", "seen", "predicted"}};
  table.in_short = most_in_short;
  for (const auto& [generator, first, facts_wrong] : contradictions) {
    if (table.rows.size() == most_shown) break;
    table.add({first.recording, generator, count_words(facts_wrong),
               first.fact.step < 0 ? "" : fmt::format("{}", first.fact.step), first.kernel,
               first.seen, first.predicted});
  }
  section.add(std::move(table));
  if (contradictions.size() > most_shown) {
    section.add(
        Text(counted(contradictions.size(), "sequence") + " altogether (the JSON lists all)."));
  }
  return section;
}

Section smallest_section(const SmallestContradiction& smallest, const Device& device) {
  Section section{"The first one, made small", {}};
  if (smallest.with_previous) {
    section.add(
        Text("With the sequence before it, which left state behind that has a part in it."));
  }
  section.say("{}. Asked again {}, wrong {}.",
              smallest.unfinished.empty()
                  ? std::string(one_minimal_words)
                  : fmt::format("{} tried; a smaller one may be left: {}",
                                counted(smallest.minimised.judged, "probe"), smallest.unfinished),
              counted(smallest.asked_again, "time"), counted(smallest.disagreed_again, "time"));
  if (smallest.unfinished.empty()) {
    for (Item& item : smallness_section(smallest.minimised, smallest.before).items) {
      section.items.push_back(std::move(item));
    }
  }
  if (smallest.answer) {
    Json recording = to_json(*smallest.answer);
    recording["wrong"] = wrong_placements_json(smallest.wrong);
    section.add(
        Map{to_json(device), "as seen", "as predicted", Json::array({std::move(recording)})});
  }
  Table wrong = mismatch_table(smallest.wrong);
  wrong.rows.resize(std::min(wrong.rows.size(), most_shown));
  wrong.in_short = most_in_short;
  section.add(std::move(wrong));
  section.add(Source{"json", json_text(to_json(smallest.minimised.probe))});
  return section;
}

Json smallest_json(const SmallestContradiction& smallest) {
  Json json = minimised_json(smallest.minimised, smallest.before);
  json["one_minimal"] = smallest.unfinished.empty();
  if (!smallest.unfinished.empty()) json["unfinished"] = smallest.unfinished;
  json["with_previous"] = smallest.with_previous;
  json["asked_again"] = smallest.asked_again;
  json["disagreed_again"] = smallest.disagreed_again;
  json["mismatches"] = mismatches_json(smallest.wrong);
  return json;
}

}  // namespace

Page validation_page(const Validation& validation) {
  const int asked = validation.asked();
  const int wrong = static_cast<int>(validation.contradictions.size());
  Page page;
  page.title = "How " + Text(model_words(validation.model)) + " predicts";
  page.written_by =
      "Written by " + code("cuvier validate") + fmt::format(", seed {}. ", validation.seed);
  page.about =
      fmt::format("{} ({}, {}). Asked: {}.", validation.device.name, validation.device.architecture,
                  counted(validation.device.sms, "SM"), validation.oracle);
  page.verdict = verdict_of(validation);
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
  page.add(sequences_section(validation));
  if (wrong > 0) page.add(wrong_section(validation.contradictions));
  if (validation.smallest) page.add(smallest_section(*validation.smallest, validation.device));
  if (!validation.not_minimised.empty()) {
    page.add({"Not made small", {Text(validation.not_minimised + ".")}});
  }
  return page;
}

nlohmann::ordered_json validation_json(const Validation& validation) {
  const int wrong = static_cast<int>(validation.contradictions.size());
  const bool is_known = validation.asked() > 0;
  Json json = {{"agrees", is_known ? Json(wrong == 0) : Json(nullptr)},
               {"oracle", validation.oracle},
               {"device", to_json(validation.device)},
               {"mechanism", to_json(validation.model)},
               {"sequences", validation.asked()},
               {"wanted", validation.wanted},
               {"wrong", wrong},
               {"unsettled", validation.unsettled()},
               {"refused", validation.refused()},
               {"confidence", kConfidence},
               {"most_disagreement", most_disagreement(wrong, validation.asked())},
               {"sessions", validation.sessions},
               {"seed", validation.seed},
               {"seconds", rounded_seconds(validation.seconds)}};
  for (const Validation::Tally& tally : validation.tallies) {
    json["generators"][std::string(tally.generator)] = {{"asked", tally.asked},
                                                        {"wrong", tally.wrong},
                                                        {"unsettled", tally.unsettled},
                                                        {"refused", tally.refused}};
  }
  json["refusals"] = validation.refusals;
  json["contradictions"] = Json::array();
  for (const Contradiction& contradiction : validation.contradictions) {
    Json row = mismatch_json(contradiction.first);
    row["generator"] = contradiction.generator;
    row["facts_wrong"] = contradiction.facts_wrong;
    json["contradictions"].push_back(std::move(row));
  }
  if (validation.smallest) json["smallest"] = smallest_json(*validation.smallest);
  if (!validation.not_minimised.empty()) json["not_minimised"] = validation.not_minimised;
  return json;
}

}  // namespace cuvier
