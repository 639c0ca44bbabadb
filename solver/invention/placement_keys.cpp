#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "hypotheses/axes/selection.h"
#include "solver/invention/conditions.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/key_table.h"
#include "solver/invention/placements.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostKeys = 3;
constexpr std::ptrdiff_t kBranches = 5;   ///< keys that are followed by others
constexpr std::ptrdiff_t kNamed = 2;      ///< beside these, names
constexpr std::ptrdiff_t kSettling = 48;  ///< of which only a condition says which is meant
constexpr std::size_t kMostFound = 24;
constexpr std::size_t kMostOfKernels = 240;
constexpr std::size_t kMostOfAny = 2'000;
constexpr std::size_t kMostConditions = 4;

/// Learns keys by which all placements of a table come out.
class KeyLearner {
 public:
  explicit KeyLearner(const KeyTable& table) : table_(table) {}

  std::vector<std::string> everywhere() const {
    return smallest(texts_of(tuples_for(table_.preferences())));
  }

  /// Few turns of kernels show, so many keys agree with all of them; most are soon refuted.
  std::vector<std::string> of_kernels() const {
    return smallest(texts_of(tuples_for(table_.preferences(), kSettling)), kMostOfKernels);
  }

  /// Of all keys two, or else three: the first of them may settle little.
  std::vector<std::string> of_any() const {
    if (table_.preferences().empty()) return {};
    std::vector<Told> keys;
    for (const TriedKey& key : table_.keys()) keys.push_back(told_by(key, table_.preferences()));
    std::ranges::stable_sort(keys, {}, [](const Told& told) { return told.key->size; });
    const PreferenceBits all = ~PreferenceBits(table_.preferences().size());
    std::vector<KeyTuple> found;
    KeyTuple tuple;
    for (std::size_t parts = 2; parts <= kMostKeys && found.empty(); ++parts) {
      add_any(keys, parts, all, tuple, found);
    }
    return smallest(texts_of(found));
  }

  /// Keys for the blocks that go elsewhere than its own rule says.
  std::vector<std::string> beside(const std::string& own) const {
    if (table_.preferences().empty()) return {};
    std::vector<std::string> formulas;
    if (const auto column = table_.column_of(own)) add_in_two_cases(own, *column, formulas);
    return smallest(std::move(formulas));
  }

 private:
  static std::vector<std::string> texts_of(const std::vector<KeyTuple>& tuples) {
    std::vector<std::string> texts;
    for (const KeyTuple& tuple : tuples) texts.push_back(text_of(tuple));
    return texts;
  }

  std::vector<std::string> smallest(std::vector<std::string> formulas,
                                    std::size_t most = kMostFound) const {
    std::erase_if(formulas, [&](const std::string& text) {
      return text.empty() || !formula_in_range(table_.axis(), text);
    });
    std::ranges::stable_sort(formulas, {}, [&](const std::string& text) {
      return parse_formula(table_.axis(), text).nodes.size();
    });
    if (formulas.size() > most) formulas.resize(most);
    return formulas;
  }

  /// A hash of how the key compares the SMs of each of these pairs.
  static std::size_t order_by(const Numbers& column, const std::vector<Preference>& pairs) {
    std::string order;
    for (const Preference& pair : pairs) {
      const int chosen = column[pair.chosen];
      const int other = column[pair.other];
      order += chosen < other ? '<' : chosen == other ? '=' : '>';
    }
    return std::hash<std::string>{}(order);
  }

  /// Tuples of so many of these keys, in their order. Of keys that leave something open, those that
  /// leave the same are one way on.
  static void add_any(const std::vector<Told>& keys, std::size_t parts, const PreferenceBits& open,
                      KeyTuple& tuple, std::vector<KeyTuple>& found) {
    const bool is_last = tuple.size() + 1 == parts;
    std::set<PreferenceBits> left{open};
    for (const Told& told : keys) {
      if (found.size() == kMostOfAny) return;
      if (open.intersects(is_last ? told.unsettled : told.wrong)) continue;
      tuple.push_back(told.key);
      if (is_last) {
        found.push_back(tuple);
      } else if (const auto [rest, is_new] = left.insert(open & told.open); is_new) {
        add_any(keys, parts, *rest, tuple, found);
      }
      tuple.pop_back();
    }
  }

  /// Keys by which all of these come out, then the order; the smallest tuples first. So many keys
  /// are looked at of which each settles all.
  std::vector<KeyTuple> tuples_for(const std::vector<Preference>& pairs,
                                   std::ptrdiff_t settling = kBranches) const {
    std::vector<KeyTuple> found;
    KeyTuple tuple;
    extend(tuple, pairs, settling, found);
    std::ranges::stable_sort(found, {}, size_of);
    return found;
  }

  /// The same, where the first key is this one; none where it contradicts them.
  std::vector<KeyTuple> tuples_behind(const TriedKey& first,
                                      const std::vector<Preference>& pairs) const {
    std::vector<KeyTuple> found;
    KeyTuple tuple{&first};
    if (const auto rest = unsettled_by(first, pairs)) extend(tuple, *rest, kBranches, found);
    return found;
  }

  /// Of these, those for which the key says nothing; none where it contradicts one.
  static std::optional<std::vector<Preference>> unsettled_by(const TriedKey& key,
                                                             const std::vector<Preference>& pairs) {
    std::vector<Preference> rest;
    for (const Preference& pair : pairs) {
      const int chosen = key.column[pair.chosen];
      const int other = key.column[pair.other];
      if (chosen > other) return std::nullopt;
      if (chosen == other) rest.push_back(pair);
    }
    return rest;
  }

  void extend(KeyTuple& tuple, const std::vector<Preference>& open, std::ptrdiff_t settling,
              std::vector<KeyTuple>& found) const {
    const auto wrong = std::ranges::count(open, false, &Preference::by_rank);
    if (wrong == 0) {
      found.push_back(tuple);
      return;
    }
    if (tuple.size() == kMostKeys) return;
    struct Next {
      const TriedKey* key;
      long left;  ///< pairs that the order gets wrong
    };
    std::vector<Next> next;
    for (const TriedKey& key : table_.keys()) {
      const int* const values = key.column.begin();
      long left = 0;
      const bool holds = std::ranges::all_of(open, [&](const Preference& pair) {
        const int chosen = values[pair.chosen];
        const int other = values[pair.other];
        left += chosen == other && !pair.by_rank;
        return chosen <= other;
      });
      if (holds && left < wrong) next.push_back({&key, left});
    }
    std::ranges::stable_sort(next, {},
                             [](const Next& n) { return std::pair(n.left, n.key->size); });
    // Of keys that leave something open, those that say the same are one way on.
    const auto& told = settling > kBranches ? table_.preferences() : open;
    std::set<std::size_t> orders;
    std::erase_if(next, [&](const Next& n) {
      if (settling == kBranches && n.left == 0) return false;
      return !orders.insert(order_by(n.key->column, told)).second;
    });
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
    for (const Preference& pair : table_.preferences()) {
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
    std::vector<Preference> pairs;
    for (const Preference& pair : table_.preferences()) {
      if (elsewhere.contains(pair.placement)) pairs.push_back(pair);
    }
    const auto kinds_in = [&](const std::set<int>& placements) {
      Kinds kinds;
      for (const int placement : placements) kinds.insert(table_.kind_of(placement));
      return kinds;
    };
    const Kinds others = kinds_in(elsewhere);
    const TriedKey first{own, column, 1};
    std::vector<KeyTuple> tuples = tuples_behind(first, pairs);
    for (KeyTuple& tuple : tuples_for(pairs, kSettling)) {
      // Where its keys do not settle it, its own rule may.
      KeyTuple before_own = tuple;
      before_own.push_back(&first);
      tuples.push_back(std::move(tuple));
      tuples.push_back(std::move(before_own));
    }
    for (const KeyTuple& tuple : tuples) {
      std::vector<const Numbers*> columns;
      for (const TriedKey* key : tuple) columns.push_back(&key->column);
      const Kinds usual = kinds_in(wrong_by(columns));
      if (usual.empty()) continue;  // it is right everywhere
      const auto parts = static_cast<int>(elsewhere.size() / kFewestForPart);
      auto conditions =
          conditions_that_part(table_.names_of_blocks(), others, usual, std::min(parts, 3));
      if (conditions.size() > kMostConditions) conditions.resize(kMostConditions);
      for (const std::string& condition : conditions) {
        formulas.push_back(in_two_cases(condition, tuple, own));
      }
    }
  }

  static std::string in_two_cases(const std::string& condition, const KeyTuple& tuple,
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

  const KeyTable& table_;
};

}  // namespace

std::vector<std::string> keys_that_choose(const FormulaInfo& axis,
                                          const std::vector<Placement>& placements,
                                          std::uint32_t names) {
  const KeyTable table(axis, placements, names, KeysOf::formulas);
  return &axis == &Selection::formula ? KeyLearner(table).everywhere()
                                      : KeyLearner(table).of_kernels();
}

std::vector<std::string> any_keys_that_choose(const std::vector<Placement>& placements,
                                              std::uint32_t names) {
  return KeyLearner(KeyTable(Selection::formula, placements, names, KeysOf::formulas)).of_any();
}

std::vector<std::string> names_that_choose(const std::vector<Placement>& placements,
                                           std::uint32_t names, int name) {
  std::vector<std::string> formulas =
      KeyLearner(KeyTable(Selection::formula, placements, names, KeysOf::names)).everywhere();
  std::erase_if(formulas, [&](const std::string& text) {
    return !parse_formula(Selection::formula, text).reads(name);
  });
  return formulas;
}

std::vector<std::string> keys_in_two_cases(const std::vector<Placement>& placements,
                                           std::uint32_t names, const std::string& own) {
  return KeyLearner(KeyTable(Selection::formula, placements, names, KeysOf::formulas)).beside(own);
}

}  // namespace cuvier
