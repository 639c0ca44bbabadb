// Forms that go one way here and another there: formula_forms.cpp has the others.

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <string>

#include "solver/invention/formula_forms.h"
#include "solver/invention/formula_search.h"

namespace cuvier {

/// In runs of so many, one up and the next one down, with another name:
/// p + (i / 4 mod 2 == 0 ? i : -1 - i), or -i.
void FormulaSearch::offer_there_and_back() {
  for (const Term& name : names_) {
    if (name.least < 0 || name.is_constant()) continue;
    for (const int run : {2, 3, 4, 6, 8, 12, 16}) {
      if (run > name.most) break;
      for (const int end : {1, 0}) {
        const std::string back = end == 1 ? "-1 - " : "-";
        const Term turns(fmt::format("({0} / {1} mod 2 == 0 ? {0} : {2}{0})", name.text, run, back),
                         ite(name.column / run % 2 == 0, name.column, -end - name.column));
        offer_new(false, turns);
        for (const Term& other : names_) {
          if (&other != &name) offer_whole(operation("({} + {})"), {&other, &turns});
        }
      }
    }
  }
}

/// One way in every other of something, or up to so much of it, and the other way elsewhere:
/// gpc mod 2 == 0 ? sm : -sm.
void FormulaSearch::offer_two_ways() {
  constexpr int most_ways = 17;
  const Operation& choice = operation("({} ? {} : {})");
  for (const Term& name : names_) {
    Terms conditions{{fmt::format("({} mod 2 == 0)", name.text), name.column % 2 == 0}};
    const std::set<int> values(name.column.begin(), name.column.end());
    for (const int value : values | std::views::drop(1) | std::views::take(most_ways - 1)) {
      conditions.emplace_back(fmt::format("({} < {})", name.text, value), name.column < value);
    }
    for (const Term& condition : conditions) {
      for (const Term& other : names_) {
        if (is_over()) return;
        if (&other == &name || other.is_constant()) continue;
        const Term back(fmt::format("-{}", other.text), 0 - other.column);
        offer_whole(choice, {&condition, &other, &back});
        offer_whole(choice, {&condition, &back, &other});
      }
    }
  }
}

/// How far one is from another, or from several times that: abs(length - 2 * bytes).
void FormulaSearch::offer_distances() {
  for (const Term& name : names_) {
    for (const Term& other : names_) {
      for (const int each : {1, 2, 3, 4}) {
        if (is_over()) return;
        const auto from = &other == &name ? std::nullopt : times(other, each);
        if (!from || furthest_of(info_, name.text) > Formula::kFurthest / 2) continue;
        const Numbers apart = name.column - from->column;
        offer_new(false,
                  {fmt::format("abs({} - {})", name.text, from->text), max(apart, 0 - apart)});
      }
    }
  }
}

/// What a known rule comes to, but for one number, which is another.
void FormulaSearch::offer_other_results() {
  constexpr int most_results = 17;
  for (const Term& rule : known_rules()) {
    std::set<int> results(rule.column.begin(), rule.column.end());
    if (results.size() > most_results) continue;
    const std::set<int> seen = results;
    results.insert({0, 1});
    for (const int result : seen) {
      for (const int other : results) {
        if (is_over()) return;
        if (other == result) continue;
        offer_new(false, {fmt::format("({0} == {1} ? {2} : {0})", rule.text, result, other),
                          ite(rule.column == result,
                              Numbers(std::vector<int>(inputs_.size(), other)), rule.column)});
      }
    }
  }
}

/// The likeliest rule up to so much of something fleeting, and another from there on; or the other
/// way round.
void FormulaSearch::offer_switches() {
  const auto usual = known_texts_.empty() ? std::nullopt : rule_of(known_texts_.front());
  if (!usual) return;
  const auto is_fleeting = [&](const Term& term) {
    const auto name = std::ranges::find(info_.names, term.text, &FormulaName::name);
    return name != info_.names.end() && name->is_fleeting;
  };
  const Operation& choice = operation("({} ? {} : {})");
  for (const Term& name : names_) {
    if (!is_fleeting(name)) continue;
    const std::set<int> values(name.column.begin(), name.column.end());
    for (const int value : values | std::views::take(kMostThresholds)) {
      const Term below(fmt::format("({} < {})", name.text, value), name.column < value);
      for (const Term& other : numbers_[1]) {
        if (is_over()) return;
        if (is_fleeting(other) || (other.is_constant() && other.most != 0)) continue;
        offer_whole(choice, {&below, &*usual, &other});
        offer_whole(choice, {&below, &other, &*usual});
      }
    }
  }
}

}  // namespace cuvier
