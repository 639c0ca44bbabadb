#include "reports/validation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "probes/json_fields.h"
#include "reports/minimised_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

constexpr std::size_t most_shown = 10;  // contradictions, and facts of the smallest one

std::string where_words(const Mismatch& wrong) {
  return wrong.fact.step < 0 ? wrong.kernel
                             : fmt::format("step {}, {}", wrong.fact.step, wrong.kernel);
}

std::string seen_and_predicted(const Mismatch& wrong, const std::string& indent) {
  return fmt::format("{0}seen:      {1}\n{0}predicted: {2}\n", indent, wrong.seen, wrong.predicted);
}

std::string tallies_text(const Validation& validation) {
  std::vector<std::vector<std::string>> rows = {
      {"generator", "asked", "wrong", "unsettled", "refused"}};
  for (const Validation::Tally& tally : validation.tallies) {
    if (tally.asked + tally.refused == 0) continue;
    rows.push_back({std::string(tally.generator), count_words(tally.asked),
                    count_words(tally.wrong), count_words(tally.unsettled),
                    count_words(tally.refused)});
  }
  return aligned(rows, 2);
}

std::string contradictions_text(const std::vector<Contradiction>& contradictions) {
  std::string text;
  for (std::size_t i = 0; i < std::min(contradictions.size(), most_shown); ++i) {
    const Contradiction& one = contradictions[i];
    text += fmt::format("  {} ({}), {} wrong, the first: {}\n", one.first.recording, one.generator,
                        counted(one.facts_wrong, "fact"), where_words(one.first));
    text += seen_and_predicted(one.first, "      ");
  }
  if (contradictions.size() > most_shown) {
    text += fmt::format("  and {} more (--json lists all)\n",
                        count_words(static_cast<double>(contradictions.size() - most_shown)));
  }
  return text;
}

std::string smallest_text(const SmallestContradiction& smallest) {
  const std::string from =
      smallest.with_previous ? " and the sequence before it, which left state behind" : "";
  std::string text = fmt::format("\nthe first one{}, made small:\n", from);
  if (smallest.unfinished.empty()) {
    text += minimised_text(smallest.minimised, smallest.before);
  } else {
    text += fmt::format("  {} tried; a smaller one may be left: {}\n",
                        counted(smallest.minimised.judged, "probe"), smallest.unfinished);
  }
  text += fmt::format("  asked again {}: wrong {}\n", counted(smallest.asked_again, "time"),
                      counted(smallest.disagreed_again, "time"));
  for (std::size_t i = 0; i < std::min(smallest.wrong.size(), most_shown); ++i) {
    text += fmt::format("  {}\n", where_words(smallest.wrong[i]));
    text += seen_and_predicted(smallest.wrong[i], "      ");
  }
  return text + '\n' + to_json(smallest.minimised.probe).dump() + '\n';
}

}  // namespace

std::string validation_verdict(const Validation& validation) {
  const int asked = validation.asked();
  const int wrong = static_cast<int>(validation.contradictions.size());
  if (asked == 0) return "nothing is known yet: no sequence was answered";
  const std::string agreed =
      wrong == 0 ? fmt::format("agreed: {} went",
                               asked == 1 ? "the one sequence"
                                          : fmt::format("all of {}", counted(asked, "sequence")))
                 : fmt::format("contradicted: {} of {} went", count_words(asked - wrong),
                               counted(asked, "sequence"));
  return fmt::format("{} as {} predicts; at {:.0f} % confidence it is wrong on at most {} of such",
                     agreed, model_words(validation.model), 100 * kConfidence,
                     percent_words(most_disagreement(wrong, asked)));
}

std::string percent_words(double rate) {
  if (rate <= 0) return "0 %";
  const double percent = 100 * rate;
  const double unit = std::pow(10, std::floor(std::log10(percent)) - 1);
  constexpr double rounding_error = 1e-9;
  return fmt::format("{:.3g} %", std::ceil(percent / unit - rounding_error) * unit);
}

std::string validation_text(const Validation& validation) {
  std::string text;
  if (validation.asked() < validation.wanted) {
    text = fmt::format("interrupted after {} of {}\n", count_words(validation.asked()),
                       counted(validation.wanted, "sequence"));
  }
  text += validation_verdict(validation) + '\n';
  text += aligned(
      {{"device", fmt::format("{} ({}, {})", validation.device.name, validation.device.architecture,
                              counted(validation.device.sms, "SM"))},
       {"source", validation.oracle},
       {"took", duration_words(validation.seconds)}},
      2);
  if (validation.sessions > 1) {
    text += fmt::format(
        "  {}: one begins after each sequence that went otherwise, and where the oracle lost its "
        "state\n",
        counted(validation.sessions, "session"));
  }
  text += '\n' + tallies_text(validation);
  for (const auto& [code, last] : validation.refusals) {
    text += fmt::format("  refused ({}), the last: {}\n", code, last);
  }
  if (validation.unsettled() > 0) {
    text +=
        "  unsettled: went another way only after several blocks left at once while others "
        "waited;\n"
        "  real hardware lets them go one by one, in an order that nobody knows\n";
  }
  if (validation.contradictions.empty()) return text;
  text += "\nwrong:\n" + contradictions_text(validation.contradictions);
  if (validation.smallest) text += smallest_text(*validation.smallest);
  if (!validation.not_minimised.empty()) {
    text += fmt::format("\nnot made small: {}\n", validation.not_minimised);
  }
  return text;
}

}  // namespace cuvier
