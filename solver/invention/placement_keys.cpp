#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hypotheses/axes/selection.h"
#include "solver/invention/conditions.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/key_table.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostKeys = 3;
constexpr std::ptrdiff_t kBranches = 5;   ///< keys that are followed by others
constexpr std::ptrdiff_t kNamed = 2;      ///< beside these, names
constexpr std::ptrdiff_t kSettling = 48;  ///< of which only a condition says which is meant
constexpr std::size_t kMostFound = 24;
constexpr std::size_t kMostOfKernels = 240;
constexpr std::size_t kMostOfAny = 2'000;
constexpr std::size_t kMostTried = 300'000'000;  ///< keys, of any two or three
constexpr std::size_t kMostConditions = 4;

/// Learns keys by which all placements of a table come out.
class KeyLearner {
 public:
  /// Few turns of kernels show, so many keys agree with all of them; most are soon refuted.
  explicit KeyLearner(const KeyTable& table)
      : table_(table),
        is_of_sms_(&table.axis() == &Selection::formula),
        most_(is_of_sms_ ? kMostFound : kMostOfKernels) {}

  std::vector<std::string> everywhere() const {
    return smallest(texts_of(tuples_for(table_.all(), is_of_sms_ ? kBranches : kSettling)));
  }

  /// Of all keys two, or else three: the first of them may settle little.
  std::vector<std::string> of_any() const {
    if (table_.preferences().empty()) return {};
    KeyTuple keys;
    for (const TriedKey& key : table_.keys()) keys.push_back(&key);
    std::ranges::stable_sort(keys, {}, &TriedKey::size);
    std::vector<KeyTuple> found;
    KeyTuple tuple;
    for (std::size_t parts = 2; parts <= kMostKeys && found.empty(); ++parts) {
      std::size_t more = kMostTried;
      add_any(keys, parts, table_.all(), tuple, found, more);
    }
    return smallest(texts_of(found));
  }

  /// Keys for the blocks that go elsewhere than its own rule says.
  std::vector<std::string> beside(const std::string& own) const {
    std::vector<std::string> formulas;
    if (const auto key = table_.key(own, 1)) add_in_two_cases(*key, formulas);
    return smallest(formulas);
  }

 private:
  static std::vector<std::string> texts_of(const std::vector<KeyTuple>& tuples) {
    std::vector<std::string> texts;
    for (const KeyTuple& tuple : tuples) {
      if (!tuple.empty()) texts.push_back(text_of(tuple));
    }
    return texts;
  }

  std::vector<std::string> smallest(const std::vector<std::string>& formulas) const {
    return smallest_in_range(table_.axis(), formulas, most_);
  }

  /// Tuples of so many of these keys, in their order, each of which is needed. Of keys that leave
  /// the same open one is the way on. `more`: keys that may be tried.
  static void add_any(const KeyTuple& keys, std::size_t parts, const PreferenceBits& open,
                      KeyTuple& tuple, std::vector<KeyTuple>& found, std::size_t& more) {
    const bool is_last = tuple.size() + 1 == parts;
    std::set<PreferenceBits> left{open};
    for (const TriedKey* key : keys) {
      if (found.size() == kMostOfAny || more == 0) return;
      --more;
      if (open.intersects(is_last ? key->unsettled : key->wrong)) continue;
      tuple.push_back(key);
      if (is_last) {
        found.push_back(tuple);
      } else if (open.intersects(key->unsettled)) {
        const auto [rest, is_new] = left.insert(open & key->open);
        if (is_new) add_any(keys, parts, *rest, tuple, found, more);
      }
      tuple.pop_back();
    }
  }

  /// Keys by which all of these come out, then the order; the smallest tuples first. So many keys
  /// are looked at of which each settles all.
  std::vector<KeyTuple> tuples_for(const PreferenceBits& preferences,
                                   std::ptrdiff_t settling) const {
    std::vector<KeyTuple> found;
    KeyTuple tuple;
    extend(tuple, preferences, settling, found);
    std::ranges::stable_sort(found, {}, size_of);
    return found;
  }

  void extend(KeyTuple& tuple, const PreferenceBits& open, std::ptrdiff_t settling,
              std::vector<KeyTuple>& found) const {
    const PreferenceBits wrong = open & table_.wrong_by_order();
    const std::size_t all_wrong = wrong.count();
    if (all_wrong == 0) {
      found.push_back(tuple);
      return;
    }
    if (tuple.size() == kMostKeys) return;
    struct Next {
      const TriedKey* key;
      std::size_t left;  ///< preferences that the order gets wrong
    };
    std::vector<Next> next;
    for (const TriedKey& key : table_.keys()) {
      if (key.wrong.intersects(open)) continue;
      const std::size_t left = (wrong & key.open).count();
      if (left < all_wrong) next.push_back({&key, left});
    }
    std::ranges::stable_sort(next, {},
                             [](const Next& n) { return std::pair(n.left, n.key->size); });
    // Of keys that leave something open, those that say the same are one way on.
    const PreferenceBits told = settling > kBranches ? table_.all() : open;
    std::set<std::pair<PreferenceBits, PreferenceBits>> orders;
    std::erase_if(next, [&](const Next& n) {
      if (settling == kBranches && n.left == 0) return false;
      return !orders.insert({n.key->wrong & told, n.key->open & told}).second;
    });
    const auto branches =
        std::clamp<std::ptrdiff_t>(std::ranges::count(next, 0u, &Next::left), kBranches, settling);
    // Bare names stay: what settles more by chance may come before the one that is meant.
    if (std::ssize(next) > branches) {
      const auto others = std::ranges::stable_partition(
          next.begin() + branches, next.end(), [](const Next& n) { return n.key->size <= 2; });
      const auto named = std::min<std::ptrdiff_t>(others.begin() - next.begin(), branches + kNamed);
      next.erase(next.begin() + named, next.end());
    }
    for (const Next& each : next) {
      tuple.push_back(each.key);
      extend(tuple, open & each.key->open, settling, found);
      tuple.pop_back();
    }
  }

  /// The placements that the tuple and the order get wrong.
  std::vector<int> wrong_by(const KeyTuple& tuple) const {
    PreferenceBits open = table_.all();
    PreferenceBits wrong = table_.none();
    for (const TriedKey* key : tuple) {
      wrong |= open & key->wrong;
      open &= key->open;
    }
    return table_.placements_in(wrong | (open & table_.wrong_by_order()));
  }

  void add_in_two_cases(const TriedKey& own, std::vector<std::string>& formulas) const {
    const std::vector<int> elsewhere = wrong_by({&own});
    const PreferenceBits preferences = table_.of_placements(elsewhere);
    const auto kinds_in = [&](const std::vector<int>& placements) {
      Kinds kinds;
      for (const int placement : placements) kinds.insert(table_.kind_of(placement));
      return kinds;
    };
    const Kinds others = kinds_in(elsewhere);
    std::vector<KeyTuple> tuples;
    if (!own.wrong.intersects(preferences)) {
      KeyTuple behind{&own};
      extend(behind, preferences & own.open, kBranches, tuples);
    }
    for (KeyTuple& tuple : tuples_for(preferences, kSettling)) {
      // Where its keys do not settle it, its own rule may.
      KeyTuple before_own = tuple;
      before_own.push_back(&own);
      tuples.push_back(std::move(tuple));
      tuples.push_back(std::move(before_own));
    }
    for (const KeyTuple& tuple : tuples) {
      const Kinds usual = kinds_in(wrong_by(tuple));
      if (usual.empty()) continue;  // it is right everywhere
      const auto parts = static_cast<int>(elsewhere.size() / kFewestForPart);
      auto conditions =
          conditions_that_part(table_.names_of_blocks(), others, usual, std::min(parts, 3));
      if (conditions.size() > kMostConditions) conditions.resize(kMostConditions);
      for (const std::string& condition : conditions) {
        formulas.push_back(in_two_cases(condition, tuple, own.text));
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
  const bool is_of_sms_;
  const std::size_t most_;  ///< formulas
};

}  // namespace

std::vector<std::string> keys_that_choose(const KeyTable& table) {
  return KeyLearner(table).everywhere();
}

std::vector<std::string> any_keys_that_choose(const KeyTable& table) {
  return KeyLearner(table).of_any();
}

std::vector<std::string> keys_that_read(int name, const KeyTable& table) {
  std::vector<std::string> formulas = keys_that_choose(table);
  std::erase_if(formulas, [&](const std::string& text) {
    return !parse_formula(table.axis(), text).reads(name);
  });
  return formulas;
}

std::vector<std::string> keys_in_two_cases(const KeyTable& table, const std::string& own) {
  return table.preferences().empty() ? std::vector<std::string>() : KeyLearner(table).beside(own);
}

}  // namespace cuvier
