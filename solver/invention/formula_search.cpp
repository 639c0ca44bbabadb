#include "solver/invention/formula_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <utility>

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"
#include "solver/invention/formula_forms.h"

namespace cuvier {
namespace {

constexpr int kLargest = 12;  ///< size
// A search takes 100 MB at most, and an invention makes dozens of them.
constexpr std::size_t kMostCells = 10'000'000;  ///< of columns: 40 MB
constexpr int kMostSeen = 2'000'000;            ///< formulas: 24 bytes each

std::size_t hash_of(const Numbers& column) {
  std::size_t hash = column.size();
  for (const int value : column) hash = hash_combine(hash, value);
  return hash;
}

/// Whether it was not there.
bool insert(FlatIndex& seen, const Numbers& column) {
  const std::size_t hash = hash_of(column);
  if (seen.find(hash, [](int) { return true; }) >= 0) return false;
  seen.add(hash);
  return true;
}

/// Whether every rule about blocks may read it.
bool is_asked(const FormulaName& name) {
  return std::ranges::any_of(asked::all, [&](const FormulaName& each) {
    return each.name == name.name && each.meaning == name.meaning;
  });
}

bool any_reads(const FormulaInfo& info, const std::vector<std::string>& formulas,
               std::size_t name) {
  return std::ranges::any_of(formulas, [&](const std::string& text) {
    return parse_formula(info, text).reads(static_cast<int>(name));
  });
}

/// The place of each input by its key, where the smallest comes first; equal ones share a place.
Numbers places(const auto& keys) {
  std::vector sorted(keys.begin(), keys.end());
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
  std::vector<int> column;
  for (const auto& key : keys) {
    const auto place = std::ranges::lower_bound(sorted, key) - sorted.begin();
    column.push_back(static_cast<int>(place));
  }
  return Numbers(std::move(column));
}

}  // namespace

FormulaSearch::Term::Term(std::string text_of, Numbers column_of)
    : text(std::move(text_of)), column(std::move(column_of)) {
  const auto [smallest, largest] = std::minmax_element(column.begin(), column.end());
  least = *smallest;
  most = *largest;
}

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
        {"({} < {})", "a < b ? 1 : 0", "nn", 1 << 30, false, true},
        {"({} <= {})", "a <= b ? 1 : 0", "nn", 1 << 30, false, true},
        {"({} == {})", "a == b ? 1 : 0", "nn", 1 << 30, true, true},
        {"({} and {})", "min(a, b)", "cc", 1, true, true},
        {"({} or {})", "max(a, b)", "cc", 1, true, true},
        {"({} ? {} : {})", "a == 1 ? b : c", "cnn", 1 << 30},
        {"({} + ({} ? 1 : 0))", "a + b", "nc", 1 << 29},
        {"({} - ({} ? 1 : 0))", "a - b", "nc", 1 << 29},
    };
    for (Operation& row : rows) {
      const FormulaName names[] = {{"a", "", -row.furthest, row.furthest},
                                   {"b", "", -row.furthest, row.furthest},
                                   {"c", "", -row.furthest, row.furthest}};
      const FormulaInfo info{names, FormulaInfo::Gives::number, "", -Formula::kFurthest,
                             Formula::kFurthest};
      row.formula = parse_formula(info, std::string(row.meaning));
    }
    return rows;
  }();
  return parsed;
}

const FormulaSearch::Operation& FormulaSearch::operation(std::string_view text) {
  return *std::ranges::find(operations(), text, &Operation::text);
}

FormulaSearch::FormulaSearch(const FormulaInfo& info, std::uint32_t names,
                             const std::vector<std::string>& known, std::vector<RuleInputs> inputs)
    : info_(info),
      known_texts_(known),
      inputs_(std::move(inputs)),
      numbers_(kLargest + 1),
      conditions_(kLargest + 1) {
  for (std::size_t name = 0; name < info.names.size(); ++name) {
    if ((names >> name & 1) == 0) continue;
    std::vector<int> column;
    for (const RuleInputs& inputs : inputs_) column.push_back(inputs[name]);
    Term term(std::string(info.names[name].name), Numbers(std::move(column)));
    if (!is_new(false, term.column)) continue;
    names_.push_back(term);
    const bool is_apart = is_asked(info.names[name]) && !any_reads(info, known, name);
    add(false, is_apart ? 2 : 1, std::move(term));
  }
  add_constants();
  for (const std::string& text : known) add_known(text);
}

void FormulaSearch::next_size(const Task& task, double most_work, const Tried& tried) {
  if (!keeps_all_) size_ = kLargest;
  if (size_ == kLargest) return;
  ++size_;
  task_ = &task;
  most_work_ = most_work;
  tried_ = &tried;
  enough_ = false;
  for (const auto condition : {false, true}) {
    for (const Term& term : Terms((condition ? conditions_ : numbers_)[size_])) {
      offer(condition, term);  // what was there from the beginning
    }
  }
  // Of what is one smaller, those of names alone: their values mean something.
  if (size_ == 2) {
    for (const Term& name : names_) add_about(name);
  }
  offer_forms();
  for (const Operation& operation : operations()) {
    std::vector<const Term*> operands;
    combine(operation, operands, size_ - 1);
  }
  std::vector<const Term*> parts;
  if (info_.orders()) {
    offer_orders(parts, size_ - 1);
  }
  tried_ = nullptr;
  if (!keeps_all_ || size_ == kLargest) forget_operands();
}

void FormulaSearch::forget_operands() {
  numbers_ = conditions_ = {};
  seen_ = {};
  seen_orders_ = {};
}

FormulaSearch::Term FormulaSearch::number(int value) const {
  return {std::to_string(value), Numbers(std::vector<int>(inputs_.size(), value))};
}

std::string FormulaSearch::as_factor(const Term& term) const {
  const auto name = std::ranges::find(info_.names, term.text, &FormulaName::name);
  return name == info_.names.end() ? term.text : bounded(*name);
}

Numbers FormulaSearch::column_of(const Formula& formula) const {
  std::vector<int> column;
  for (const RuleInputs& inputs : inputs_) {
    const Evaluation<int, bool> value(formula, inputs);
    column.push_back(info_.gives == FormulaInfo::Gives::condition ? value.condition()
                                                                  : value.number());
  }
  return Numbers(std::move(column));
}

void FormulaSearch::add_known(const std::string& text) {
  const Formula formula = parse_formula(info_, text);
  if (formula.parts.size() > 1) return;
  const bool is_condition = info_.gives == FormulaInfo::Gives::condition;
  add_new(is_condition, 1, {fmt::format("({})", formula.text), column_of(formula)});
}

void FormulaSearch::add_constants() {
  const auto add_all = [&](int size, std::initializer_list<int> values) {
    for (const int value : values) add_new(false, size, number(value));
  };
  add_all(1, {0, 1, 2, 3, 4, 8, 16, 32});
  add_all(2, {5, 6, 7, 12, 24, 64, 128, 256, 512, 1024, 2048, 4096});
}

/// Thresholds, multiples, and what is rounded up.
void FormulaSearch::add_about(const Term& name) {
  const std::set<int> values(name.column.begin(), name.column.end());
  for (const int value : values | std::views::take(kMostThresholds)) {
    add_new(true, 2, {fmt::format("({} >= {})", name.text, value), !(name.column < value)});
    add_new(true, 2, {fmt::format("({} < {})", name.text, value), name.column < value});
  }
  for (int unit = 2; unit <= 4096; unit *= 2) {
    add_new(true, 2, {fmt::format("({} mod {} == 0)", name.text, unit), name.column % unit == 0});
    if (name.least < 0) continue;
    add_new(false, 3,
            {fmt::format("(({} + {}) / {} * {})", name.text, unit - 1, unit, unit),
             (name.column + (unit - 1)) / unit * unit});
  }
}

/// With the operands there are, all whose last ones are `left` large in all.
void FormulaSearch::combine(const Operation& operation, std::vector<const Term*>& operands,
                            int left) {
  const std::size_t at = operands.size();
  const int further = static_cast<int>(operation.operands.size() - at) - 1;
  if (further < 0) {
    if (auto term = result(operation, operands)) {
      add(operation.is_condition, size_, *std::move(term));
    }
    return;
  }
  const auto& by_size = operation.operands[at] == 'n' ? numbers_ : conditions_;
  for (int size = further == 0 ? left : 1; size <= left - further; ++size) {
    if (size < 1) continue;
    for (const Term& term : by_size[size]) {
      if (is_over()) return;
      // Nobody divides one number by all sorts for what is left of it.
      if (at == 0 && operation.meaning == "a mod b" && term.is_constant()) continue;
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

std::optional<FormulaSearch::Term> FormulaSearch::result(const Operation& operation,
                                                         const std::vector<const Term*>& operands) {
  count_work();
  std::vector<Numbers> values;
  for (const Term* operand : operands) {
    if (operand->least < -operation.furthest || operand->most > operation.furthest) return {};
    values.push_back(operand->column);
  }
  while (values.size() < 3) values.emplace_back(0);
  const Evaluation<Numbers, Conditions> value(operation.formula, values);
  if (!is_new(operation.is_condition, value.number())) return {};
  const bool is_product = operation.meaning == "a * b";
  const auto text = [&](std::size_t at) {
    if (at >= operands.size()) return std::string();
    return is_product ? as_factor(*operands[at]) : operands[at]->text;
  };
  if (operation.text == "({} + ({} ? 1 : 0))" && text(0) == "0") {
    return Term(fmt::format("({} ? 1 : 0)", text(1)), value.number());
  }
  return Term(fmt::format(fmt::runtime(operation.text), text(0), text(1), text(2)), value.number());
}

void FormulaSearch::count_work() {
  work_ += static_cast<double>(inputs_.size());
  if (++made_ % 10'000 == 0) task_->still();
}

/// Whether nothing smaller says the same. Of conditions, what always holds, or never, is none.
bool FormulaSearch::is_new(bool condition, const Numbers& column) {
  if (condition && std::ranges::all_of(column, [&](int v) { return v == column[0]; })) return false;
  FlatIndex& seen = seen_[condition];
  return seen.size() < kMostSeen && insert(seen, column);
}

/// Of what is offered and cannot be kept, nothing larger is made.
void FormulaSearch::add(bool condition, int size, Term term) {
  if (size == size_) offer(condition, term);
  if (cells_ >= kMostCells) {
    keeps_all_ = false;
    return;
  }
  cells_ += inputs_.size();
  (condition ? conditions_ : numbers_)[size].push_back(std::move(term));
}

void FormulaSearch::add_new(bool condition, int size, Term term) {
  if (is_new(condition, term.column)) add(condition, size, std::move(term));
}

void FormulaSearch::offer_new(bool condition, const Term& term) {
  if (is_new(condition, term.column)) offer(condition, term);
}

void FormulaSearch::offer(bool condition, const Term& term) {
  using Gives = FormulaInfo::Gives;
  if (info_.orders()) {
    if (condition) return;
    offer_order({&term});
    if (info_.gives != Gives::order) return;
    // Before and behind what the mechanism goes by, too, however large it is.
    if (const Term* own = own_name()) {
      offer_order({own, &term});
      offer_order({&term, own});
    }
  } else if (condition == (info_.gives == Gives::condition)) {
    enough_ = enough_ || !(*tried_)({term.text, term.column});
  }
}

/// What the mechanism goes by, where that is a name.
const FormulaSearch::Term* FormulaSearch::own_name() const {
  if (known_texts_.empty()) return nullptr;
  const auto own = std::ranges::find(names_, known_texts_.front(), &Term::text);
  return own == names_.end() ? nullptr : &*own;
}

/// Tuples of which the other parts are `left` large in all.
void FormulaSearch::offer_orders(std::vector<const Term*>& parts, int left) {
  constexpr std::size_t most_parts = 4;
  if (left == 0 && parts.size() > 1) offer_order(parts);
  if (parts.size() == most_parts) return;
  for (int size = 1; size <= left; ++size) {
    for (const Term& term : numbers_[size]) {
      if (term.is_constant()) continue;
      if (is_over()) return;
      parts.push_back(&term);
      offer_orders(parts, left - size);
      parts.pop_back();
    }
  }
}

void FormulaSearch::offer_order(const std::vector<const Term*>& parts) {
  count_work();
  Found order{parts.front()->text, Numbers(0)};
  if (parts.size() == 1) {
    order.column = places(parts.front()->column);
  } else {
    std::vector<std::vector<int>> keys(inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      for (const Term* part : parts) keys[i].push_back(part->column[i]);
    }
    order.column = places(keys);
  }
  if (seen_orders_.size() < kMostSeen && !insert(seen_orders_, order.column)) return;
  if (parts.size() > 1) {
    std::vector<std::string_view> texts;
    for (const Term* part : parts) texts.push_back(part->text);
    order.text = fmt::format("({})", fmt::join(texts, ", "));
  }
  enough_ = enough_ || !(*tried_)(order);
}

}  // namespace cuvier
