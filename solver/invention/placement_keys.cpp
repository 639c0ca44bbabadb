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
#include "solver/invention/candidate_keys.h"
#include "solver/invention/columns.h"
#include "solver/invention/conditions.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/placements.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostOthers = 12;  ///< SMs that a block is compared with
constexpr std::size_t kMostKeys = 3;
constexpr std::ptrdiff_t kBranches = 5;   ///< keys that are followed by others
constexpr std::ptrdiff_t kNamed = 2;      ///< beside these, names
constexpr std::ptrdiff_t kSettling = 48;  ///< of which only a condition says which is meant
constexpr std::size_t kMostFound = 24;
constexpr std::size_t kMostConditions = 4;

/// What is the same for all SMs that a block finds, whichever block: of the names, the blocks of
/// its grid, and how many times over they would have filled the device before it.
std::vector<FormulaName> names_of_blocks(const std::vector<Placement>& placements) {
  std::vector<FormulaName> names;
  for (std::size_t n = 0; n < std::size(Selection::names); ++n) {
    const auto is_same = [n](const Placement& placement) {
      // Of a block that waits nobody asked the selection.
      if (placement.chosen == Placement::kWaits) return true;
      return std::ranges::all_of(placement.eligible, [&](const EligibleSm& sm) {
        return sm.selection[n] == placement.eligible.front().selection[n];
      });
    };
    if (std::ranges::all_of(placements, is_same)) names.push_back(Selection::names[n]);
  }
  names.push_back({"(placed + left)", "blocks of the grid", 1, kMostBlocks});
  names.push_back({"(placed / sms)", "waves of one block on each SM", 0, kMostBlocks});
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
  Keys(const std::vector<Placement>& placements, std::uint32_t names, KeysOf of)
      : names_(names), names_of_blocks_(names_of_blocks(placements)) {
    const auto kind_of = read_by(Selection::formula, names_of_blocks_);
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
      kinds_.push_back(kind_of(chosen.selection));
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
    if (rows_ > 0) add_keys(of);
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

  std::optional<Numbers> column_of(const std::string& text) const {
    const auto formula = formula_in_range(Selection::formula, text);
    if (!formula || formula->parts.size() > 1 || (formula->names & ~names_) != 0) {
      return std::nullopt;
    }
    return Evaluation<Numbers, Conditions>(*formula, columns_).number();
  }

  /// A hash of how the key compares the SMs of each pair.
  std::size_t order_by(const Numbers& column) const {
    std::string order;
    for (const Pair& pair : pairs_) {
      const int chosen = column[pair.chosen];
      const int other = column[pair.other];
      order += chosen < other ? '<' : chosen == other ? '=' : '>';
    }
    return std::hash<std::string>{}(order);
  }

  void add_keys(KeysOf of) {
    const auto add = [&](const std::string& text, int size) {
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
    for (const CandidateKey& key : candidate_keys(columns_, names_of_blocks_, of)) {
      add(key.text, key.size);
    }
  }

  /// Keys by which all of these come out, then the order; the smallest tuples first. So many keys
  /// are looked at of which each settles all.
  std::vector<Tuple> tuples_for(const std::vector<Pair>& pairs,
                                std::ptrdiff_t settling = kBranches) const {
    std::vector<Tuple> found;
    Tuple tuple;
    extend(tuple, pairs, settling, found);
    std::ranges::stable_sort(found, {}, size_of);
    return found;
  }

  /// The same, where the first key is this one; none where it contradicts them.
  std::vector<Tuple> tuples_behind(const Key& first, const std::vector<Pair>& pairs) const {
    std::vector<Tuple> found;
    Tuple tuple{&first};
    if (const auto rest = unsettled_by(first, pairs)) extend(tuple, *rest, kBranches, found);
    return found;
  }

  /// Of these, those for which the key says nothing; none where it contradicts one.
  static std::optional<std::vector<Pair>> unsettled_by(const Key& key,
                                                       const std::vector<Pair>& pairs) {
    std::vector<Pair> rest;
    for (const Pair& pair : pairs) {
      const int chosen = key.column[pair.chosen];
      const int other = key.column[pair.other];
      if (chosen > other) return std::nullopt;
      if (chosen == other) rest.push_back(pair);
    }
    return rest;
  }

  void extend(Tuple& tuple, const std::vector<Pair>& open, std::ptrdiff_t settling,
              std::vector<Tuple>& found) const {
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
    if (settling > kBranches) {
      std::set<std::size_t> orders;
      std::erase_if(next,
                    [&](const Next& n) { return !orders.insert(order_by(n.key->column)).second; });
    }
    const auto branches =
        std::clamp<std::ptrdiff_t>(std::ranges::count(next, 0, &Next::left), kBranches, settling);
    // Bare names stay: what settles more by chance may come before the one that is meant.
    if (std::ssize(next) > branches) {
      const auto others = std::ranges::stable_partition(
          next.begin() + branches, next.end(), [](const Next& n) { return n.key->size <= 2; });
      const auto named = std::min<std::ptrdiff_t>(others.begin() - next.begin(), branches + kNamed);
      next.erase(next.begin() + named, next.end());
    }
    for (const Next& each : next) {
      tuple.push_back(each.key);
      extend(tuple, *unsettled_by(*each.key, open), settling, found);
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
    const Key first{own, column, 1};
    std::vector<Tuple> tuples = tuples_behind(first, pairs);
    for (Tuple& tuple : tuples_for(pairs, kSettling)) {
      // Where its keys do not settle it, its own rule may.
      Tuple before_own = tuple;
      before_own.push_back(&first);
      tuples.push_back(std::move(tuple));
      tuples.push_back(std::move(before_own));
    }
    for (const Tuple& tuple : tuples) {
      std::vector<const Numbers*> columns;
      for (const Key* key : tuple) columns.push_back(&key->column);
      const Kinds usual = kinds_in(wrong_by(columns));
      if (usual.empty()) continue;  // it is right everywhere
      const auto parts = static_cast<int>(elsewhere.size() / kFewestForPart);
      auto conditions = conditions_that_part(names_of_blocks_, others, usual, std::min(parts, 3));
      if (conditions.size() > kMostConditions) conditions.resize(kMostConditions);
      for (const std::string& condition : conditions) {
        formulas.push_back(in_two_cases(condition, tuple, own));
      }
    }
  }

  static std::string in_two_cases(const std::string& condition, const Tuple& tuple,
                                  const std::string& otherwise) {
    std::vector<std::string> parts;
    const bool ends_with_own = tuple.size() > 1 && tuple.back()->text == otherwise;
    for (std::size_t i = 0; i < std::max<std::size_t>(tuple.size(), 1); ++i) {
      const std::string key = i < tuple.size() ? tuple[i]->text : "0";
      const std::string own = i == (ends_with_own ? tuple.size() - 1 : 0) ? otherwise : "0";
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

  const std::uint32_t names_;  ///< that may be read
  int rows_ = 0;
  std::vector<Numbers> columns_;  ///< by name
  const std::vector<FormulaName> names_of_blocks_;
  std::vector<Kind> kinds_;  ///< by placement, what of these names its block is
  std::vector<Pair> pairs_;
  std::vector<Key> keys_;
  std::set<std::size_t> seen_;  ///< what keys say, as a hash
};

}  // namespace

std::vector<std::string> keys_that_choose(const std::vector<Placement>& placements,
                                          std::uint32_t names) {
  return Keys(placements, names, KeysOf::formulas).everywhere();
}

std::vector<std::string> names_that_choose(const std::vector<Placement>& placements,
                                           std::uint32_t names, int name) {
  std::vector<std::string> formulas = Keys(placements, names, KeysOf::names).everywhere();
  std::erase_if(formulas, [&](const std::string& text) {
    return !parse_formula(Selection::formula, text).reads(name);
  });
  return formulas;
}

std::vector<std::string> keys_in_two_cases(const std::vector<Placement>& placements,
                                           std::uint32_t names, const std::string& own) {
  return Keys(placements, names, KeysOf::formulas).beside(own);
}

}  // namespace cuvier
