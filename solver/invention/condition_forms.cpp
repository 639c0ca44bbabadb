// Forms of conditions: formula_forms.cpp has those of numbers.

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "solver/invention/formula_forms.h"
#include "solver/invention/formula_search.h"

namespace cuvier {

void FormulaSearch::offer_conditions() {
  if (size_ == 1) offer_always_and_never();
  if (size_ == 2) offer_thresholds(names_);
  if (size_ != 4) return;
  offer_comparisons();
  offer_thresholds(sums());
  offer_thresholds(products());
  offer_comparisons_of(products());
  if (const auto own = known_texts_.empty() ? std::nullopt : rule_of(known_texts_.front())) {
    offer_thresholds(sums(), &*own);
    offer_thresholds(products(), &*own);
  }
}

/// Which are no conditions to make others of.
void FormulaSearch::offer_always_and_never() {
  for (const int other : {0, 1}) {
    offer(true, {fmt::format("0 == {}", other),
                 Numbers(std::vector<int>(inputs_.size(), other == 0 ? 1 : 0))});
  }
}

/// Two names together: what is there, and what comes.
FormulaSearch::Terms FormulaSearch::sums() const {
  Terms sums;
  for (auto one = names_.begin(); one != names_.end(); ++one) {
    for (auto other = one + 1; other != names_.end(); ++other) {
      const int most = Formula::kFurthest - furthest_of(info_, other->text);
      if (furthest_of(info_, one->text) > most) continue;
      sums.emplace_back(fmt::format("({} + {})", one->text, other->text),
                        one->column + other->column);
    }
  }
  return sums;
}

/// So much of one for each of another: the warps of all blocks that are left.
FormulaSearch::Terms FormulaSearch::products() const {
  Terms products;
  for (auto one = names_.begin(); one != names_.end(); ++one) {
    for (auto other = one + 1; other != names_.end(); ++other) {
      const auto is_small = [](const Term& name) {
        return name.least >= 0 && name.most <= kMostFactor;
      };
      if (is_small(*one) && is_small(*other)) {
        products.emplace_back(fmt::format("({} * {})", as_factor(*one), as_factor(*other)),
                              one->column * other->column);
      }
    }
  }
  return products;
}

/// Thresholds at those values of terms that are too many for operands; where there is another
/// condition, beside it.
void FormulaSearch::offer_thresholds(const Terms& terms, const Term* beside) {
  const auto offer_counted = [&](const Term& condition) {
    if (beside) {
      offer_whole(operation("({} and {})"), {beside, &condition});
      offer_whole(operation("({} or {})"), {beside, &condition});
    } else {
      count_work();
      offer_new(true, condition);
    }
  };
  for (const Term& term : terms) {
    const std::set<int> values(term.column.begin(), term.column.end());
    for (const int value : values) {
      if (is_over()) return;
      offer_counted({fmt::format("({} >= {})", term.text, value), !(term.column < value)});
      offer_counted({fmt::format("({} < {})", term.text, value), term.column < value});
    }
  }
}

/// Of an order, as what comes first.
void FormulaSearch::offer_comparison(const Term& one, const Term& other) {
  const auto offer_one = [&](const Term& condition) {
    if (is_over()) return;
    if (info_.orders()) {
      offer_sorted(condition);
    } else {
      count_work();
      offer_new(true, condition);
    }
  };
  for (const auto& [a, b] : {std::pair{&one, &other}, std::pair{&other, &one}}) {
    offer_one({fmt::format("({} < {})", a->text, b->text), a->column < b->column});
    offer_one({fmt::format("({} <= {})", a->text, b->text), a->column <= b->column});
  }
}

/// Those for which the condition holds come first, or last; among them what the mechanism goes by,
/// or the reverse of it.
void FormulaSearch::offer_sorted(const Term& condition) {
  const Term& own = *own_name();
  const Term first(fmt::format("({} ? 0 : 1)", condition.text), 1 - condition.column);
  const Term last(fmt::format("({} ? 1 : 0)", condition.text), condition.column);
  const Term reverse(fmt::format("-{}", own.text), 0 - own.column);
  for (const Term* sorted : {&first, &last}) {
    offer_order({sorted, &own});
    offer_order({sorted, &reverse});
  }
}

/// A name with several times another, rounded up to a power of two, or with so much more or less.
void FormulaSearch::offer_comparisons() {
  for (const Term& name : names_) {
    const Term power = power_of(name);
    for (const Term& other : names_) offer_comparison(power, other);
    for (const int usual : usual_numbers()) {
      const auto product = times(name, usual);
      if (!product) break;
      const Term more(fmt::format("({} + {})", name.text, usual), name.column + usual);
      for (const Term& other : names_) {
        if (&other == &name) continue;
        offer_comparison(*product, other);
        offer_comparison(more, other);
      }
    }
  }
}

/// Products with each other, and with a name or several times one.
void FormulaSearch::offer_comparisons_of(const Terms& products) {
  for (const Term& product : products) {
    for (const Term& other : products) {
      if (&other > &product) offer_comparison(product, other);
    }
    for (const Term& name : names_) {
      offer_comparison(product, name);
      for (const int each : {2, 4, 8}) {
        if (const auto several = times(name, each)) offer_comparison(product, *several);
      }
    }
  }
}

}  // namespace cuvier
