#include "solver/invention/formula_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "hypotheses/formulas/evaluate.h"
#include "solver/invention/columns.h"

namespace cuvier {
namespace {

constexpr int kLargest = 12;            ///< size
constexpr int kMostCells = 20'000'000;  ///< of columns: 80 MB for numbers, and for conditions
constexpr int kMostThresholds = 100;

std::size_t hash_of(const std::vector<int>& column) {
  std::size_t hash = column.size();
  for (const int value : column) {
    hash = (hash ^ static_cast<std::size_t>(value)) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  }
  return hash;
}

bool is_constant(const std::vector<int>& column) {
  return std::ranges::adjacent_find(column, std::ranges::not_equal_to{}) == column.end();
}

}  // namespace

/// An operator, or a way to write some.
struct FormulaSearch::Operation {
  std::string_view text;      ///< {}: an operand
  std::string_view meaning;   ///< over a, b and c
  std::string_view operands;  ///< n: a number, c: a condition
  int furthest;               ///< from 0, that its operands may be
  bool commutes = false;
  bool is_condition = false;
  Formula formula = {};
};

const std::vector<FormulaSearch::Operation>& FormulaSearch::operations() {
  static const std::vector<Operation> parsed = [] {
    std::vector<Operation> rows = {
        {"(-{})", "-a", "n", 1 << 30},
        {"({} + {})", "a + b", "nn", 1 << 29, true},
        {"({} - {})", "a - b", "nn", 1 << 29},
        {"({} * {})", "a * b", "nn", 1 << 15, true},
        {"({} / {})", "a / b", "nn", 1 << 29},
        {"({} mod {})", "a mod b", "nn", 1 << 29},
        {"min({}, {})", "min(a, b)", "nn", 1 << 30, true},
        {"max({}, {})", "max(a, b)", "nn", 1 << 30, true},
        {"({} < {})", "a < b", "nn", 1 << 30, false, true},
        {"({} <= {})", "a <= b", "nn", 1 << 30, false, true},
        {"({} == {})", "a == b", "nn", 1 << 30, true, true},
        {"({} and {})", "a == 1 and b == 1", "cc", 1, true, true},
        {"({} or {})", "a == 1 or b == 1", "cc", 1, true, true},
        {"({} ? {} : {})", "a == 1 ? b : c", "cnn", 1 << 30},
        {"({} + ({} ? 1 : 0))", "a + (b == 1 ? 1 : 0)", "nc", 1 << 29},
        {"({} - ({} ? 1 : 0))", "a - (b == 1 ? 1 : 0)", "nc", 1 << 29},
    };
    for (Operation& row : rows) {
      const FormulaName names[] = {{"a", "", -row.furthest, row.furthest},
                                   {"b", "", -row.furthest, row.furthest},
                                   {"c", "", -row.furthest, row.furthest}};
      using Gives = FormulaInfo::Gives;
      const FormulaInfo info{names, row.is_condition ? Gives::condition : Gives::number, "",
                             -Formula::kFurthest, Formula::kFurthest};
      row.formula = parse_formula(info, std::string(row.meaning));
    }
    return rows;
  }();
  return parsed;
}

FormulaSearch::FormulaSearch(const FormulaInfo& info, const std::vector<std::string>& known,
                             std::vector<RuleInputs> inputs)
    : info_(info), inputs_(std::move(inputs)), numbers_(kLargest + 1), conditions_(kLargest + 1) {
  for (std::size_t name = 0; name < info.names.size(); ++name) {
    Term term{std::string(info.names[name].name), {}};
    for (const RuleInputs& inputs : inputs_) term.column.push_back(inputs[name]);
    add_number(1, std::move(term));
  }
  add_constants();
  for (const std::string& text : known) add_known(text);
}

std::vector<FormulaSearch::Found> FormulaSearch::next_size(const Task& task, double most_work) {
  if (size_ == kLargest) return {};
  ++size_;
  task_ = &task;
  most_work_ = most_work;
  // Of what is one smaller, those of names alone: their values mean something.
  if (size_ == 2) {
    for (const Term& term : Terms(numbers_[1])) {
      if (std::ranges::find(info_.names, term.text, &FormulaName::name) != info_.names.end()) {
        add_about(term);
      }
    }
  }
  for (const Operation& operation : operations()) add_results(operation);
  return found();
}

void FormulaSearch::add_known(const std::string& text) {
  const Formula formula = parse_formula(info_, text);
  if (formula.parts.size() > 1) return;
  Term term{fmt::format("({})", formula.text), {}};
  const bool is_condition = info_.gives == FormulaInfo::Gives::condition;
  for (const RuleInputs& inputs : inputs_) {
    const Evaluation<int, bool> value(formula, inputs);
    term.column.push_back(is_condition ? value.condition() : value.number());
  }
  is_condition ? add_condition(2, std::move(term)) : add_number(2, std::move(term));
}

void FormulaSearch::add_constants() {
  for (const int value : {0, 1, 2, 3, 4, 8, 16, 32}) {
    add_number(1, {std::to_string(value), std::vector<int>(inputs_.size(), value)});
  }
  for (const int value : {5, 6, 7, 12, 24, 64, 128, 256, 512, 1024, 2048, 4096}) {
    add_number(2, {std::to_string(value), std::vector<int>(inputs_.size(), value)});
  }
}

/// Thresholds, multiples, and what is rounded up.
void FormulaSearch::add_about(const Term& number) {
  const std::set<int> values(number.column.begin(), number.column.end());
  int thresholds = 0;
  for (const int value : values) {
    if (value == *values.begin()) continue;
    Term term{fmt::format("({} >= {})", number.text, value), {}};
    for (const int of : number.column) term.column.push_back(of >= value);
    add_condition(++thresholds > kMostThresholds ? 4 : 2, std::move(term));
  }
  for (int unit = 2; unit <= 4096; unit *= 2) {
    Term multiple{fmt::format("({} mod {} == 0)", number.text, unit), {}};
    Term rounded{fmt::format("(({} + {}) / {} * {})", number.text, unit - 1, unit, unit), {}};
    for (const int of : number.column) {
      multiple.column.push_back(of % unit == 0);
      rounded.column.push_back((of + unit - 1) / unit * unit);
    }
    add_condition(2, std::move(multiple));
    if (*values.begin() >= 0) add_number(3, std::move(rounded));
  }
}

void FormulaSearch::add_results(const Operation& operation) {
  std::vector<const Term*> operands;
  combine(operation, operands, size_ - 1);
}

/// With the operands there are, all whose last ones are `left` large in all.
void FormulaSearch::combine(const Operation& operation, std::vector<const Term*>& operands,
                            int left) {
  const std::size_t at = operands.size();
  const int further = static_cast<int>(operation.operands.size() - at) - 1;
  if (further < 0) return add(operation, operands);
  const auto& by_size = operation.operands[at] == 'n' ? numbers_ : conditions_;
  for (int size = further == 0 ? left : 1; size <= left - further; ++size) {
    if (size < 1) continue;
    for (const Term& term : by_size[size]) {
      if (!may_add(operation.is_condition)) return;
      if (operation.commutes && at == 1) {  // one of two ways to write it
        const int first = size_ - 1 - left;
        if (first > size || (first == size && &term < operands[0])) continue;
      }
      operands.push_back(&term);
      combine(operation, operands, left - size);
      operands.pop_back();
    }
  }
}

void FormulaSearch::add(const Operation& operation, const std::vector<const Term*>& operands) {
  count_work();
  std::vector<Numbers> values;
  for (const Term* operand : operands) {
    const auto [least, most] = std::ranges::minmax(operand->column);
    if (least < -operation.furthest || most > operation.furthest) return;
    values.emplace_back(operand->column);
  }
  while (values.size() < 3) values.emplace_back(0);
  const Evaluation<Numbers, Conditions> value(operation.formula, values);
  Term term;
  term.column.resize(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    term.column[i] = operation.is_condition ? value.condition()[i] : value.number()[i];
  }
  auto& seen = operation.is_condition ? seen_conditions_ : seen_numbers_;
  if (seen.contains(hash_of(term.column))) return;
  const auto text = [&](std::size_t at) { return at < operands.size() ? operands[at]->text : ""; };
  term.text = fmt::format(fmt::runtime(operation.text), text(0), text(1), text(2));
  operation.is_condition ? add_condition(size_, std::move(term))
                         : add_number(size_, std::move(term));
}

void FormulaSearch::count_work() {
  work_ += static_cast<double>(inputs_.size());
  if (++made_ % 10'000 == 0) task_->still();
}

bool FormulaSearch::may_add(bool condition) const {
  return terms_[condition] * inputs_.size() < kMostCells && work_ < most_work_;
}

void FormulaSearch::add_number(int size, Term term) {
  if (!seen_numbers_.insert(hash_of(term.column)).second) return;
  ++terms_[false];
  numbers_[size].push_back(std::move(term));
}

/// What always holds, or never, is none.
void FormulaSearch::add_condition(int size, Term term) {
  if (is_constant(term.column) || !seen_conditions_.insert(hash_of(term.column)).second) return;
  ++terms_[true];
  conditions_[size].push_back(std::move(term));
}

std::vector<FormulaSearch::Found> FormulaSearch::found() {
  switch (info_.gives) {
    case FormulaInfo::Gives::condition:
      return conditions_[size_];
    case FormulaInfo::Gives::number:
      return numbers_[size_];
    case FormulaInfo::Gives::order:
    case FormulaInfo::Gives::key:
      break;
  }
  std::vector<Found> orders;
  for (const Term& term : numbers_[size_]) add_order(orders, {&term});
  std::vector<const Term*> parts;
  add_orders(orders, parts, size_ - 1);
  return orders;
}

/// Tuples of which the other parts are `left` large in all.
void FormulaSearch::add_orders(std::vector<Found>& orders, std::vector<const Term*>& parts,
                               int left) {
  constexpr std::size_t most_parts = 4;
  if (left == 0 && parts.size() > 1) add_order(orders, parts);
  if (parts.size() == most_parts) return;
  for (int size = 1; size <= left; ++size) {
    for (const Term& term : numbers_[size]) {
      if (is_constant(term.column)) continue;
      if (work_ >= most_work_) return;
      parts.push_back(&term);
      add_orders(orders, parts, left - size);
      parts.pop_back();
    }
  }
}

void FormulaSearch::add_order(std::vector<Found>& orders, const std::vector<const Term*>& parts) {
  count_work();
  std::vector<std::vector<int>> keys(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    for (const Term* part : parts) keys[i].push_back(part->column[i]);
  }
  std::map<std::vector<int>, int> places;
  for (const auto& key : keys) places[key];
  int place = 0;
  for (auto& [key, at] : places) at = place++;
  Found order;
  for (const auto& key : keys) order.column.push_back(places[key]);
  if (!seen_orders_.insert(hash_of(order.column)).second) return;
  std::vector<std::string_view> texts;
  for (const Term* part : parts) texts.push_back(part->text);
  order.text =
      texts.size() == 1 ? parts.front()->text : fmt::format("({})", fmt::join(texts, ", "));
  orders.push_back(std::move(order));
}

}  // namespace cuvier
