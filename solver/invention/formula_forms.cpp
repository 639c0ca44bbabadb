// What rules of schedulers are often made of, and is too large to be come upon by size alone. It
// is tried as a whole, and nothing larger is made of it.

#include "solver/invention/formula_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ranges>
#include <set>
#include <utility>

#include "hypotheses/axes/demand.h"
#include "probes/error.h"
#include "solver/invention/formula_search.h"

namespace cuvier {

namespace {

constexpr int least_unit = 8;

}  // namespace

int furthest_of(const FormulaInfo& info, const std::string& name) {
  const auto& range = *std::ranges::find(info.names, name, &FormulaName::name);
  return std::max(-range.least, range.most);
}

std::string bounded(const FormulaName& name) {
  if (name.most <= kMostFactor) return std::string(name.name);
  return fmt::format("min({}, {})", name.name, kMostFactor);
}

std::optional<Formula> formula_in_range(const FormulaInfo& info, const std::string& text) {
  try {
    return parse_formula(info, text);
  } catch (const Error&) {
    return {};
  }
}

std::vector<std::string> smallest_in_range(const FormulaInfo& info,
                                           const std::vector<std::string>& texts, std::size_t most,
                                           std::uint32_t names) {
  std::vector<Formula> formulas;
  for (const std::string& text : texts) {
    auto formula = formula_in_range(info, text);
    if (formula && (formula->names & ~names) == 0) formulas.push_back(std::move(*formula));
  }
  std::ranges::stable_sort(formulas, {}, [](const Formula& each) { return each.nodes.size(); });
  std::vector<std::string> smallest;
  for (std::size_t i = 0; i < std::min(formulas.size(), most); ++i) {
    smallest.push_back(std::move(formulas[i].text));
  }
  return smallest;
}

std::set<int> numbers_in(const Formula& formula) {
  std::set<int> numbers;
  for (const Formula::Node& node : formula.nodes) {
    if (node.op == Formula::Op::constant) numbers.insert(node.value);
  }
  return numbers;
}

const std::vector<int>& usual_numbers() {
  static const std::vector<int> numbers = [] {
    std::vector<int> all{1, 2, 3};
    for (int unit = 1; unit <= 8192; unit *= 2) {
      for (int times = 4; times < 8; ++times) all.push_back(times * unit);
    }
    return all;
  }();
  return numbers;
}

bool rounds_up_with(int number, const std::set<int>& numbers) {
  return number + 1 >= least_unit && numbers.contains(number + 1);
}

std::string with_another(const std::string& text, int number, int other) {
  std::string changed;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end == at) {
      changed += text[at++];
      continue;
    }
    const int here = std::stoi(text.substr(at, end - at));
    const bool goes_along = number >= least_unit && here == number - 1;
    changed += std::to_string(here == number ? other : goes_along ? other - 1 : here);
    at = end;
  }
  return changed;
}

std::set<std::string> with_other_numbers(const FormulaInfo& info,
                                         const std::set<std::string>& texts) {
  constexpr std::size_t most = 20'000;
  std::set<std::string> changed;
  for (const std::string& text : texts) {
    const auto formula = formula_in_range(info, text);
    if (!formula) continue;
    for (const int number : numbers_in(*formula)) {
      for (const int other : usual_numbers()) {
        if (changed.size() < most) changed.insert(with_another(text, number, other));
      }
    }
  }
  return changed;
}

std::vector<std::string> simple_others(const FormulaInfo& info,
                                       const std::vector<std::string>& rules) {
  std::vector<std::string> others;
  if (info.gives == FormulaInfo::Gives::condition) {
    others = {"0 == 0", "0 == 1"};
    for (const FormulaName& name : info.names) {
      if (name.is_fleeting || asked::has(name)) continue;
      others.push_back(fmt::format("{} mod 2 == 0", name.name));
      for (int number = 1; number <= 64; number += number < 16 ? 1 : 4) {
        others.push_back(fmt::format("{} < {}", name.name, number));
      }
    }
    const std::size_t half = others.size();
    for (std::size_t i = 2; i < half; ++i) others.push_back("not " + others[i]);
    return others;
  }
  for (const std::string& rule : rules) {
    others.push_back(fmt::format("({}) * 2", rule));
    others.push_back(fmt::format("(({}) + 1) / 2", rule));
    for (int amount = 1; amount <= 4096; amount *= 2) {
      others.push_back(fmt::format("({}) + {}", rule, amount));
      others.push_back(fmt::format("({}) - {}", rule, amount));
    }
  }
  for (const FormulaName& name : info.names) {
    if (name.is_fleeting) continue;
    others.emplace_back(name.name);
    others.push_back(fmt::format("power({})", name.name));
  }
  if (info.gives == FormulaInfo::Gives::number && !rules.empty()) {
    for (const int number : usual_numbers()) {
      others.push_back(fmt::format("min({}, {})", rules.front(), number));
      others.push_back(fmt::format("max({}, {})", rules.front(), number));
    }
  }
  for (const int number : usual_numbers()) others.push_back(std::to_string(number));
  for (const std::string& changed : with_other_numbers(info, {rules.begin(), rules.end()})) {
    others.push_back(changed);
  }
  return others;
}

void FormulaSearch::offer_forms() {
  if (size_ == 3) offer_known_otherwise(1);
  if (size_ == 5) offer_known_otherwise(2);
  if (info_.gives == FormulaInfo::Gives::condition) {
    offer_conditions();
    return;
  }
  if (size_ == 2) offer_powers();
  if (size_ == 3) offer_switches();
  if (size_ == 3) offer_other_results();
  if (size_ != 4) return;
  offer_sums();
  offer_coarse();
  if (info_.gives == FormulaInfo::Gives::number) {
    offer_shares();
    offer_parts();
    offer_steps();
  }
  if (info_.gives == FormulaInfo::Gives::key) offer_ratios();
  if (info_.orders()) offer_distances();
  offer_there_and_back();
  offer_two_ways();
  if (info_.orders() && own_name()) offer_comparisons();
  offer_lines();  // the most
}

void FormulaSearch::offer_whole(const Operation& operation,
                                const std::vector<const Term*>& operands) {
  if (is_over()) return;
  if (const auto term = result(operation, operands)) offer(operation.is_condition, *term);
}

/// Known rules with so many other numbers in them.
void FormulaSearch::offer_known_otherwise(std::size_t numbers) {
  std::set<std::string> texts(known_texts_.begin(), known_texts_.end());
  for (std::size_t i = 0; i < numbers; ++i) texts = with_other_numbers(info_, texts);
  for (const std::string& text : texts) offer_text(text);
}

void FormulaSearch::offer_text(const std::string& text) {
  if (is_over()) return;
  const auto formula = formula_in_range(info_, text);
  if (!formula || formula->parts.size() > 1) return;
  const bool condition = info_.gives == FormulaInfo::Gives::condition;
  count_work();
  offer_new(condition, {fmt::format("({})", text), column_of(*formula)});
}

FormulaSearch::Terms FormulaSearch::known_rules() const {
  Terms rules;
  for (const std::string& text : known_texts_) {
    if (auto rule = rule_of(text)) rules.push_back(*std::move(rule));
  }
  return rules;
}

/// A rule as something to make others of; none where it is a tuple, or out of range.
std::optional<FormulaSearch::Term> FormulaSearch::rule_of(const std::string& text) const {
  const auto formula = formula_in_range(info_, text);
  if (!formula || formula->parts.size() > 1) return {};
  return Term(fmt::format("({})", formula->text), column_of(*formula));
}

/// A name so many times; none where it could leave the range of numbers.
std::optional<FormulaSearch::Term> FormulaSearch::times(const Term& name, int factor) const {
  if (furthest_of(info_, name.text) > Formula::kFurthest / 2 / factor) return {};
  return Term(fmt::format("({} * {})", name.text, factor), name.column * factor);
}

FormulaSearch::Term FormulaSearch::power_of(const Term& number) {
  return Term(fmt::format("power({})", number.text),
              for_each_input<int>(up_to_power_of_two<int>, number.column));
}

/// Names and known rules, rounded up to a power of two, and no more or less than so much.
void FormulaSearch::offer_powers() {
  for (const Terms& numbers : {names_, known_rules()}) {
    for (const Term& each : numbers) {
      if (is_over()) return;
      const Term power = power_of(each);
      offer_new(false, power);
      for (const int usual : usual_numbers()) {
        if (usual >= power.most) break;
        const Term bound = number(usual);
        offer_whole(operation("min({}, {})"), {&power, &bound});
        offer_whole(operation("max({}, {})"), {&power, &bound});
      }
    }
  }
}

/// So much for each of something, and so much in any case.
void FormulaSearch::offer_lines() {
  constexpr int most = 4096;
  for (const Term& name : names_) {
    for (const int each : usual_numbers()) {
      const auto product = times(name, each);
      if (!product || each > most) break;
      offer_new(false, *product);
      for (const int any : usual_numbers()) {
        if (is_over()) return;
        const Term amount = number(any);
        offer_whole(operation("({} + {})"), {&*product, &amount});
        offer_whole(operation("({} - {})"), {&amount, &*product});
      }
    }
  }
}

/// Two names, of which one counts several times.
void FormulaSearch::offer_sums() {
  for (const Term& name : names_) {
    for (const int each : {2, 3, 4, 5, 6, 8, 16, 32}) {
      const auto product = times(name, each);
      if (!product) break;
      for (const Term& other : names_) {
        offer_whole(operation("({} + {})"), {&other, &*product});
        offer_whole(operation("({} - {})"), {&other, &*product});
        offer_whole(operation("({} - {})"), {&*product, &other});
      }
    }
  }
}

/// Alone, and with each name as so much more or less.
void FormulaSearch::offer_beside_names(const Term& number) {
  offer_new(false, number);
  for (const Term& name : names_) {
    offer_whole(operation("({} + {})"), {&name, &number});
    offer_whole(operation("({} - {})"), {&name, &number});
  }
}

/// One more or less for each so much of something.
void FormulaSearch::offer_coarse() {
  for (const Term& name : names_) {
    for (const int unit : usual_numbers()) {
      if (is_over()) return;
      if (unit > name.most) break;
      if (unit > 1)
        offer_beside_names({fmt::format("({} / {})", name.text, unit), name.column / unit});
    }
  }
}

/// What each gets where a name is shared out among so many, or among several times another, or so
/// much more than that, or rounded up to pairs: rounded down or up; and a known rule where that is
/// less.
void FormulaSearch::offer_shares() {
  const Terms rules = known_rules();
  const auto offer_share = [&](const Term& name, const Term& more, const Term& among) {
    for (const Term* shared : {&name, &more}) {
      const auto share = result(operation("({} / {})"), {shared, &among});
      if (!share) continue;
      offer(false, *share);
      for (const Term& rule : rules) offer_whole(operation("min({}, {})"), {&rule, &*share});
    }
  };
  const auto with = [](const Term& name, const std::string& text, const Term& among) {
    return Term(fmt::format("({} + {})", name.text, text), name.column + among.column - 1);
  };
  for (const Term& name : names_) {
    if (is_over()) return;
    if (name.most > Formula::kFurthest / 4) continue;
    for (const int usual : usual_numbers()) {
      const Term among = number(usual);
      if (usual > 1) offer_share(name, with(name, std::to_string(usual - 1), among), among);
    }
    for (const Term& other : names_) {
      for (const int each : {1, 2, 3, 4, 6, 8}) {
        const auto among = &other == &name ? std::nullopt : times(other, each);
        if (!among || among->least < 1) continue;
        offer_share(name, with(name, among->text + " - 1", *among), *among);
      }
      for (const int usual : usual_numbers()) {
        if (&other == &name || other.least < 0 || usual > Formula::kFurthest / 2 - other.most)
          break;
        const Term among(fmt::format("({} + {})", other.text, usual), other.column + usual);
        offer_share(name, with(name, fmt::format("{} - 1", among.text), among), among);
      }
      for (const int unit : {2, 4, 8}) {
        if (&other == &name || other.least < 1 || other.most > Formula::kFurthest / 2) break;
        const Term among(fmt::format("(({} + {}) / {} * {})", other.text, unit - 1, unit, unit),
                         (other.column + (unit - 1)) / unit * unit);
        offer_share(name, with(name, fmt::format("{} - 1", among.text), among), among);
      }
    }
  }
}

/// How much of something there is for each of something else, the least or the most: as finely as
/// whole numbers tell it.
void FormulaSearch::offer_ratios() {
  constexpr int parts = 1024;
  for (const Term& name : names_) {
    const auto product = times(name, parts);
    if (!product) continue;
    for (const Term& each : names_) {
      if (is_over()) return;
      if (&each == &name || each.least < 1) continue;
      const auto ratio = result(operation("({} / {})"), {&*product, &each});
      if (!ratio) continue;
      offer(false, *ratio);
      offer_whole(operation("(-{})"), {&*ratio});
    }
  }
}

/// One for each so much, and one more, but no more than so many: min(left / 80 + 1, 4).
void FormulaSearch::offer_steps() {
  for (const Term& name : names_) {
    for (const int unit : usual_numbers()) {
      if (is_over() || unit > name.most) break;
      const Term steps(fmt::format("({} / {} + 1)", name.text, unit), name.column / unit + 1);
      offer_new(false, steps);
      for (const int most : {2, 3, 4, 6, 8, 12, 16}) {
        const Term amount = number(most);
        if (most < steps.most) offer_whole(operation("min({}, {})"), {&steps, &amount});
      }
    }
  }
}

/// In which of so many equal parts something is, with another name: p + 4 * i / w.
void FormulaSearch::offer_parts() {
  for (const Term& name : names_) {
    for (const int parts : usual_parts) {
      const auto product = times(name, parts);
      if (!product || product->least < 0) break;
      for (const Term& among : names_) {
        if (&among == &name || among.least < 1) continue;
        offer_beside_names(
            {fmt::format("({} / {})", product->text, among.text), product->column / among.column});
      }
    }
  }
}

}  // namespace cuvier
