#include "solver/invention/placement_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "hypotheses/axes/selection.h"
#include "hypotheses/formulas/evaluate.h"
#include "solver/invention/columns.h"
#include "solver/invention/conditions.h"
#include "solver/invention/formula_forms.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostOthers = 12;  ///< SMs that a block is compared with
constexpr std::size_t kMostKeys = 3;
constexpr std::size_t kBranches = 5;  ///< keys that are followed by others
constexpr std::size_t kMostFound = 24;
constexpr std::size_t kMostConditions = 4;

/// What is the same for all SMs that a block finds: of the names, and the blocks of its grid.
const std::vector<FormulaName>& names_of_block() {
  static const std::vector<FormulaName> names = [] {
    std::vector<FormulaName> some;
    for (const std::string_view name : {"w", "registers", "bytes", "placed", "left", "joined"}) {
      some.push_back(*std::ranges::find(Selection::names, name, &FormulaName::name));
    }
    some.push_back({"(placed + left)", "blocks of the grid", 1, kMostBlocks});
    return some;
  }();
  return names;
}

/// A key, of each row.
struct Key {
  std::string text;
  Numbers column;
  int size = 0;
};
using Tuple = std::vector<const Key*>;

int size_of(const Tuple& tuple) {
  int size = 0;
  for (const Key* key : tuple) size += key->size;
  return size;
}

class Keys {
 public:
  explicit Keys(const std::vector<Placement>& placements) {
    std::vector<std::vector<int>> values(std::size(Selection::names));
    const auto add_row = [&](const EligibleSm& sm) {
      for (std::size_t n = 0; n < values.size(); ++n) {
        values[n].push_back(sm.selection[n]);
      }
      return rows_++;
    };
    for (const Placement& placement : placements) {
      if (placement.chosen < 0 || placement.eligible.size() < 2) continue;
      const EligibleSm& chosen = placement.eligible[placement.chosen];
      const int row = add_row(chosen);
      const int number = static_cast<int>(kinds_.size());
      kinds_.push_back(kind_of(chosen));
      // Of those that come before it in the order, and of those behind it, some of each.
      for (const bool behind : {false, true}) {
        std::vector<const EligibleSm*> others;
        for (const EligibleSm& each : placement.eligible) {
          if (&each != &chosen && (each.rank > chosen.rank) == behind) others.push_back(&each);
        }
        const std::size_t step = others.size() / (kMostOthers / 2) + 1;
        for (std::size_t i = 0; i < others.size(); i += step) {
          pairs_.push_back({row, add_row(*others[i]), number, behind});
        }
      }
    }
    for (auto& column : values) columns_.emplace_back(std::move(column));
    if (rows_ > 0) add_keys();
  }

  std::vector<std::string> everywhere() const {
    std::vector<std::string> formulas;
    for (const Tuple& tuple : tuples_for(pairs_)) formulas.push_back(text_of(tuple));
    return smallest(std::move(formulas));
  }

  /// Keys for the blocks that go elsewhere than its own rule says.
  std::vector<std::string> beside(const std::string& own) const {
    if (pairs_.empty()) return {};
    std::vector<std::string> formulas;
    if (const auto column = column_of(own)) add_in_two_cases(own, *column, formulas);
    return smallest(std::move(formulas));
  }

 private:
  static std::vector<std::string> smallest(std::vector<std::string> formulas) {
    std::erase_if(formulas, [](const std::string& text) {
      return text.empty() || !formula_in_range(Selection::formula, text);
    });
    std::ranges::stable_sort(formulas, {}, [](const std::string& text) {
      return parse_formula(Selection::formula, text).nodes.size();
    });
    if (formulas.size() > kMostFound) formulas.resize(kMostFound);
    return formulas;
  }

  /// A block and an SM that it did not go to.
  struct Pair {
    int chosen;  ///< row
    int other;   ///< likewise
    int placement;
    bool by_rank;  ///< the order has the chosen one first
  };

  static Kind kind_of(const EligibleSm& sm) {
    static const std::vector<Formula> formulas = [] {
      std::vector<Formula> read;
      for (const FormulaName& name : names_of_block()) {
        read.push_back(parse_formula(Selection::formula, std::string(name.name)));
      }
      return read;
    }();
    Kind kind;
    for (const Formula& formula : formulas) {
      kind.push_back(value_of(Selection::formula, formula, sm.selection));
    }
    return kind;
  }

  std::optional<Numbers> column_of(const std::string& text) const {
    const auto formula = formula_in_range(Selection::formula, text);
    if (!formula || formula->parts.size() > 1) return std::nullopt;
    return Evaluation<Numbers, Conditions>(*formula, columns_).number();
  }

  void add_keys() {
    const auto add = [&](std::string text, int size) {
      const auto column = column_of(text);
      if (!column || column->size() == 1) return;
      const std::string_view bytes(reinterpret_cast<const char*>(column->begin()),
                                   column->size() * sizeof(int));
      if (!seen_.insert(std::hash<std::string_view>{}(bytes)).second) return;
      std::vector<int> opposite;
      for (const int value : *column) opposite.push_back(-value);
      keys_.push_back({text, *column, size});
      const std::string negated = size == 1 ? "-" + text : fmt::format("-({})", text);
      keys_.push_back({negated, Numbers(std::move(opposite)), size + 1});
    };
    for (const FormulaName& name : Selection::names) add(std::string(name.name), 1);
    for (const FormulaName& a : Selection::names) {
      for (const int number : {2, 4, 8, 16}) {
        add(fmt::format("{} mod {}", a.name, number), 3);
        add(fmt::format("{} / {}", a.name, number), 3);
        add(fmt::format("min({}, {})", a.name, number), 3);
      }
      for (const FormulaName& b : Selection::names) {
        if (&a == &b) continue;
        for (const std::string_view op : {"+", "-", "*", "/", "mod"}) {
          add(fmt::format("{} {} {}", a.name, op, b.name), 3);
        }
        for (const std::string_view unit : {"2", "4", "sms"}) {
          add(fmt::format("({} + {}) mod {}", a.name, b.name, unit), 5);
          add(fmt::format("({} - {}) mod {}", a.name, b.name, unit), 5);
        }
      }
    }
  }

  /// Keys by which all of these come out, then the order; the smallest tuples first.
  std::vector<Tuple> tuples_for(const std::vector<Pair>& pairs) const {
    std::vector<Tuple> found;
    Tuple tuple;
    extend(tuple, pairs, found);
    std::ranges::stable_sort(found, {}, size_of);
    return found;
  }

  void extend(Tuple& tuple, const std::vector<Pair>& open, std::vector<Tuple>& found) const {
    const auto wrong = std::ranges::count(open, false, &Pair::by_rank);
    if (wrong == 0) {
      found.push_back(tuple);
      return;
    }
    if (tuple.size() == kMostKeys) return;
    struct Next {
      const Key* key;
      long left;  ///< pairs that the order gets wrong
    };
    std::vector<Next> next;
    for (const Key& key : keys_) {
      const int* const values = key.column.begin();
      long left = 0;
      const bool holds = std::ranges::all_of(open, [&](const Pair& pair) {
        const int chosen = values[pair.chosen];
        const int other = values[pair.other];
        left += chosen == other && !pair.by_rank;
        return chosen <= other;
      });
      if (holds && left < wrong) next.push_back({&key, left});
    }
    std::ranges::stable_sort(next, {},
                             [](const Next& n) { return std::pair(n.left, n.key->size); });
    if (next.size() > kBranches) next.resize(kBranches);
    for (const Next& each : next) {
      std::vector<Pair> rest;
      for (const Pair& pair : open) {
        if (each.key->column[pair.chosen] == each.key->column[pair.other]) rest.push_back(pair);
      }
      tuple.push_back(each.key);
      extend(tuple, rest, found);
      tuple.pop_back();
    }
  }

  /// The placements that the tuple and the order get wrong.
  std::set<int> wrong_by(const std::vector<const Numbers*>& tuple) const {
    std::set<int> wrong;
    for (const Pair& pair : pairs_) {
      const auto differs = std::ranges::find_if(tuple, [&](const Numbers* column) {
        return (*column)[pair.chosen] != (*column)[pair.other];
      });
      const bool holds = differs == tuple.end()
                             ? pair.by_rank
                             : (**differs)[pair.chosen] < (**differs)[pair.other];
      if (!holds) wrong.insert(pair.placement);
    }
    return wrong;
  }

  void add_in_two_cases(const std::string& own, const Numbers& column,
                        std::vector<std::string>& formulas) const {
    const std::set<int> elsewhere = wrong_by({&column});
    std::vector<Pair> pairs;
    for (const Pair& pair : pairs_) {
      if (elsewhere.contains(pair.placement)) pairs.push_back(pair);
    }
    const auto kinds_in = [&](const std::set<int>& placements) {
      Kinds kinds;
      for (const int placement : placements) kinds.insert(kinds_[placement]);
      return kinds;
    };
    const Kinds others = kinds_in(elsewhere);
    for (const Tuple& tuple : tuples_for(pairs)) {
      std::vector<const Numbers*> columns;
      for (const Key* key : tuple) columns.push_back(&key->column);
      const Kinds usual = kinds_in(wrong_by(columns));
      if (usual.empty()) continue;  // it is right everywhere
      const auto parts = static_cast<int>(elsewhere.size() / kFewestForPart);
      auto conditions = conditions_that_part(names_of_block(), others, usual, std::min(parts, 3));
      if (conditions.size() > kMostConditions) conditions.resize(kMostConditions);
      for (const std::string& condition : conditions) {
        formulas.push_back(in_two_cases(condition, tuple, own));
      }
    }
  }

  static std::string in_two_cases(const std::string& condition, const Tuple& tuple,
                                  const std::string& otherwise) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::max<std::size_t>(tuple.size(), 1); ++i) {
      const std::string key = i < tuple.size() ? tuple[i]->text : "0";
      const std::string own = i == 0 ? otherwise : "0";
      parts.push_back(key == own ? key : fmt::format("{} ? {} : {}", condition, key, own));
    }
    return as_tuple(parts);
  }

  static std::string text_of(const Tuple& tuple) {
    std::vector<std::string> parts;
    for (const Key* key : tuple) parts.push_back(key->text);
    return as_tuple(parts);
  }
  static std::string as_tuple(const std::vector<std::string>& parts) {
    return parts.size() == 1 ? parts.front() : fmt::format("({})", fmt::join(parts, ", "));
  }

  int rows_ = 0;
  std::vector<Numbers> columns_;  ///< by name
  std::vector<Kind> kinds_;       ///< by placement
  std::vector<Pair> pairs_;
  std::vector<Key> keys_;
  std::set<std::size_t> seen_;  ///< what keys say, as a hash
};

}  // namespace

std::vector<std::string> keys_that_choose(const std::vector<Placement>& placements) {
  return Keys(placements).everywhere();
}

std::vector<std::string> keys_in_two_cases(const std::vector<Placement>& placements,
                                           const std::string& own) {
  return Keys(placements).beside(own);
}

}  // namespace cuvier
