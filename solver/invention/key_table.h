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

/// A key of a choice among SMs or kernels, a formula of one part: of each row of a table.
struct TriedKey {
  std::string text;
  Numbers column;
  int size = 0;  ///< the larger, the later it is taken
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
  bool by_rank;  ///< the order has the chosen one first
};

using PreferenceBits = boost::dynamic_bitset<>;  ///< of the preferences, a bit each

/// What a key says of them.
struct Told {
  const TriedKey* key;
  PreferenceBits wrong;      ///< it has the other one first
  PreferenceBits open;       ///< it has neither first
  PreferenceBits unsettled;  ///< one of both, and the order does not put it right
};
Told told_by(const TriedKey& key, const std::vector<Preference>& pairs);

enum class KeysOf { names, formulas };

/// What keys say of those that were chosen, and of others: what chooses is learned from it.
class KeyTable {
 public:
  /// `axis`: by which they are chosen, `selection` or `priority`. `names`: what keys may read, a
  /// bit each.
  KeyTable(const FormulaInfo& axis, const std::vector<Placement>& placements, std::uint32_t names,
           KeysOf of);

  const std::vector<Preference>& preferences() const { return preferences_; }  ///< as placed
  const std::vector<TriedKey>& keys() const { return keys_; }
  int sessions() const { return sessions_; }

  const FormulaInfo& axis() const { return axis_; }

  /// What is the same for all SMs that a block finds, and what of that the placement's block is.
  const std::vector<FormulaName>& names_of_blocks() const { return names_of_blocks_; }
  const Kind& kind_of(int placement) const { return kinds_[placement]; }

  /// None where it is no key, or may not be read.
  std::optional<Numbers> column_of(const std::string& text) const;

 private:
  int add_row(const Contender& sm);
  void add(const Placement& placement, const std::function<Kind(const std::vector<int>&)>& kind_of);
  void add_keys();
  void add_keys_of_kernels();
  void add_key(const std::string& text, int size);

  const FormulaInfo& axis_;
  const std::uint32_t names_;
  std::vector<FormulaName> names_of_blocks_;
  int sessions_ = 0;
  int rows_ = 0;
  std::vector<std::vector<int>> values_;  ///< by name, then row; while rows are added
  std::vector<Numbers> columns_;          ///< the same, then
  std::vector<Kind> kinds_;               ///< by placement
  std::vector<Preference> preferences_;
  std::vector<TriedKey> keys_;
  std::set<std::size_t> seen_;  ///< what keys say, as a hash
};

}  // namespace cuvier
