#pragma once

#include <boost/dynamic_bitset.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hypotheses/axis.h"
#include "solver/invention/columns.h"
#include "solver/invention/conditions.h"
#include "solver/invention/placements.h"

namespace cuvier {

using PreferenceBits = boost::dynamic_bitset<>;  ///< of the preferences of a table, a bit each

/// A key of a choice among SMs or kernels, a formula of one part, and what it says of preferences.
struct TriedKey {
  std::string text;
  int size = 0;              ///< the larger, the later it is taken
  PreferenceBits wrong;      ///< it has the other one first
  PreferenceBits open;       ///< it has neither first
  PreferenceBits unsettled;  ///< one of both, and the order does not put it right
};
/// That are compared one after the other.
using KeyTuple = std::vector<const TriedKey*>;

int size_of(const KeyTuple& tuple);
std::string text_of(const KeyTuple& tuple);
/// As formulas of several parts are written.
std::string as_tuple(const std::vector<std::string>& parts);

/// The SM that a block went to, and one that it did not go to; or the kernels that it was of, and
/// that it was not of.
struct Preference {
  int chosen;  ///< row
  int other;   ///< likewise
  int placement;
  int session;
};

enum class KeysOf { names, formulas };

/// What keys say of those that were chosen, and of others: what chooses is learned from it.
class KeyTable {
 public:
  /// `axis`: by which they are chosen, `selection` or `priority`. `names`: what keys may read, a
  /// bit each.
  KeyTable(const FormulaInfo& axis, const std::vector<Placement>& placements, std::uint32_t names,
           KeysOf of = KeysOf::formulas);

  const FormulaInfo& axis() const { return axis_; }
  const std::vector<Preference>& preferences() const { return preferences_; }  ///< as placed
  const std::vector<TriedKey>& keys() const { return keys_; }

  PreferenceBits all() const { return ~none(); }
  PreferenceBits none() const { return PreferenceBits(preferences_.size()); }
  /// Of those that no key settles, that the order has the other one first.
  const PreferenceBits& wrong_by_order() const { return wrong_by_order_; }

  PreferenceBits of_placements(const std::vector<int>& placements) const;
  std::vector<int> placements_in(const PreferenceBits& preferences) const;  ///< ascending

  /// What is the same for all SMs that a block finds, and what of that the placement's block is.
  const std::vector<FormulaName>& names_of_blocks() const { return names_of_blocks_; }
  const Kind& kind_of(int placement) const { return kinds_[placement]; }

  /// None where it is no key, or may not be read.
  std::optional<TriedKey> key(const std::string& text, int size) const;

 private:
  int add_row(const Contender& sm);
  void add(const Placement& placement, const std::function<Kind(const std::vector<int>&)>& kind_of);
  void add_keys();
  void add_keys_of_kernels();
  void add_key(const std::string& text, int size);
  std::optional<Numbers> column_of(const std::string& text) const;
  TriedKey told_by(const std::string& text, int size, const Numbers& column) const;

  const FormulaInfo& axis_;
  const std::uint32_t names_;
  std::vector<FormulaName> names_of_blocks_;
  int sessions_ = 0;
  int rows_ = 0;
  std::vector<std::vector<int>> values_;  ///< by name, then row; while rows are added
  std::vector<Numbers> columns_;          ///< the same, then
  std::vector<Kind> kinds_;               ///< by placement
  std::vector<Preference> preferences_;
  PreferenceBits wrong_by_order_;
  std::vector<TriedKey> keys_;
  std::set<std::size_t> seen_;  ///< what keys say, as a hash
};

// Formulas of the table's axis by which each was chosen that was, the smallest first.

/// Keys are learned one after the other: one that no placement contradicts and that settles what
/// the tie-break order gets wrong, then another for what that leaves (greedy lexicographic
/// learning).
std::vector<std::string> keys_that_choose(const KeyTable& table);

/// Any two keys, or else three, also where others than the first would settle more.
std::vector<std::string> any_keys_that_choose(const KeyTable& table);

/// The same as keys_that_choose(), of which one reads the name at this place.
std::vector<std::string> keys_that_read(int name, const KeyTable& table);

/// Where `own`, a formula too, is right for some blocks: keys for the others alone, and a condition
/// that parts the two.
std::vector<std::string> keys_in_two_cases(const KeyTable& table, const std::string& own);

/// Where it need not be right for any: a condition on blocks, a key for those for which it holds,
/// another for the rest, and perhaps one that both leave something to.
std::vector<std::string> keys_by_case(const KeyTable& table);

/// Where something else differs, too, which some sessions show: what explains the placements of
/// most of them, the best first. Those of a session stand together.
std::vector<std::string> keys_that_choose_in_most(const KeyTable& table);

}  // namespace cuvier
