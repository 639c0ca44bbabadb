#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hypotheses/formulas/evaluate.h"
#include "solver/invention/conditions.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/placements.h"

namespace cuvier {
namespace {

constexpr int kMostUnits = 64;  ///< that remainders are of
constexpr std::size_t kMostOfOne = 24;

/// The chosen SM or kernel, and one that was not chosen.
struct Compared {
  const RuleInputs& chosen;
  const RuleInputs& other;
  bool is_right;  ///< without the condition
};

/// What a number is of the two.
struct Pair {
  int chosen;
  int other;
  bool is_right;
  auto operator<=>(const Pair&) const = default;
};
using Pairs = std::set<Pair>;

/// Of all placements; with the condition before the own rule, or behind it. None where the own rule
/// contradicts one before the condition is asked.
std::vector<Compared> compared_in(const std::vector<Placement>& placements, const Formula& own,
                                  bool is_behind) {
  std::vector<Compared> preferences;
  for (const Placement& placement : placements) {
    if (placement.chosen < 0) continue;
    const auto place = [&](const Contender& each) {
      return Evaluation<int, bool>(own, each.choice).key();
    };
    const Contender& chosen = placement.eligible[placement.chosen];
    const auto place_of_chosen = place(chosen);
    for (const Contender& each : placement.eligible) {
      if (&each == &chosen) continue;
      const auto order = place_of_chosen <=> place(each);
      if (is_behind && order > 0) return {};
      if (is_behind && order < 0) continue;
      const bool is_right = order < 0 || (order == 0 && chosen.rank < each.rank);
      preferences.push_back({chosen.choice, each.choice, is_right});
    }
  }
  return preferences;
}

/// Whether a threshold of the number, or one number alone, can part those of all these pairs.
bool may_part(const std::vector<const Compared*>& wrong, const auto& number) {
  Pair least{number(wrong.front()->chosen), number(wrong.front()->other), false};
  Pair most = least;
  for (const Compared* each : wrong) {
    const int chosen = number(each->chosen);
    const int other = number(each->other);
    if (chosen == other) return false;
    least = {std::min(least.chosen, chosen), std::min(least.other, other), false};
    most = {std::max(most.chosen, chosen), std::max(most.other, other), false};
  }
  return most.chosen < least.other || most.other < least.chosen || least.chosen == most.chosen ||
         least.other == most.other;
}

/// Whether a condition has each pair right; `is_first`: of a number, whether it comes first by it.
bool has_right(const Pairs& pairs, const auto& is_first) {
  return std::ranges::all_of(pairs, [&](const Pair& pair) {
    const bool chosen = is_first(pair.chosen);
    const bool other = is_first(pair.other);
    return chosen == other ? pair.is_right : chosen;
  });
}

/// Keys, 0 or 1, by which each pair is right: the least and the largest threshold of the number,
/// and that it is this number alone.
void add_keys(const std::string& number, const Pairs& pairs, std::vector<std::string>& keys) {
  Pairs reverse;
  std::set<int> values;
  for (const Pair& pair : pairs) {
    // Of two that are the same no condition says which comes first.
    if (!pair.is_right && pair.chosen == pair.other) return;
    values.insert({pair.chosen, pair.other});
  }
  const auto wrong = std::ranges::find(pairs, false, &Pair::is_right);
  for (const bool below : {true, false}) {
    std::set<int> passing;
    for (const int than : values) {
      const auto is_first = [&](int value) { return (value < than) == below; };
      if (is_first(wrong->chosen) && has_right(pairs, is_first)) passing.insert(than);
    }
    if (!passing.empty()) {
      for (const int than : {*passing.begin(), *passing.rbegin()}) {
        keys.push_back(
            fmt::format("{} < {} ? {} : {}", number, than, below ? 0 : 1, below ? 1 : 0));
      }
    }
    const int alone = below ? wrong->chosen : wrong->other;
    if (has_right(pairs, [&](int value) { return (value == alone) == below; })) {
      keys.push_back(
          fmt::format("{} == {} ? {} : {}", number, alone, below ? 0 : 1, below ? 1 : 0));
    }
  }
}

}  // namespace

std::vector<std::string> own_and_a_condition(const FormulaInfo& axis,
                                             const std::vector<Placement>& placements,
                                             std::uint32_t names, const std::string& own) {
  const Formula rule = parse_formula(axis, own);
  const std::string parts = rule.parts.size() == 1 ? own : own.substr(1, own.size() - 2);
  std::vector<FormulaName> read;
  std::vector<std::size_t> places;  // of these, among all
  for (std::size_t name = 0; name < axis.names.size(); ++name) {
    if ((names >> name & 1) == 0) continue;
    read.push_back(axis.names[name]);
    places.push_back(name);
  }
  std::vector<std::string> formulas;
  for (const bool is_behind : {false, true}) {
    const auto preferences = compared_in(placements, rule, is_behind);
    std::vector<const Compared*> wrong;
    for (const Compared& each : preferences) {
      if (!each.is_right) wrong.push_back(&each);
    }
    if (wrong.empty()) continue;
    const auto pairs_of = [&](const auto& number) {
      Pairs pairs;
      for (const auto& [chosen, other, is_right] : preferences) {
        pairs.insert({number(chosen), number(other), is_right});
      }
      return pairs;
    };
    std::vector<std::string> keys;
    for (std::size_t n = 0; n < read.size(); ++n) {
      const std::string name(read[n].name);
      const Pairs pairs = pairs_of([&](const RuleInputs& inputs) { return inputs[places[n]]; });
      add_keys(name, pairs, keys);
      for (int unit = 2; unit <= kMostUnits && read[n].least >= 0; ++unit) {
        if (!may_part(wrong, [&](const RuleInputs& in) { return in[places[n]] % unit; })) continue;
        Pairs rests;
        for (const auto& [chosen, other, is_right] : pairs) {
          rests.insert({chosen % unit, other % unit, is_right});
        }
        add_keys(fmt::format("{} mod {}", name, unit), rests, keys);
      }
    }
    for (const NumberOfTwo& number : numbers_of_two(axis.names)) {
      if (may_part(wrong, number.value)) add_keys(number.text, pairs_of(number.value), keys);
    }
    for (const std::string& key : keys) {
      formulas.push_back(is_behind ? fmt::format("({}, {})", parts, key)
                                   : fmt::format("({}, {})", key, parts));
    }
  }
  std::erase_if(formulas, [&](const std::string& text) {
    const auto formula = formula_in_range(axis, text);
    return !formula || (formula->names & ~names) != 0;
  });
  std::ranges::stable_sort(formulas, {}, [&](const std::string& text) {
    return parse_formula(axis, text).nodes.size();
  });
  if (formulas.size() > kMostOfOne) formulas.resize(kMostOfOne);
  return formulas;
}

}  // namespace cuvier
