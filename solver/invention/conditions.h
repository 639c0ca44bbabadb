#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "hypotheses/axis.h"

namespace cuvier {

/// What a kernel or its blocks ask for: a number for each of some names.
using Kind = std::vector<int>;
using Kinds = std::set<Kind>;
using ConditionOnKinds = std::function<bool(const Kind&)>;

/// What is to be parted from others, for each further part of a condition: anything tells fewer
/// apart.
inline constexpr std::size_t kFewestForPart = 6;

/// Conditions, as formulas over the names, that hold for all of the ones and none of the others: of
/// as few parts as that needs, and so many at most. Each part is as close to the kinds as it can
/// be: a threshold, a remainder, a number. All parts have to hold for the ones, or, the other way
/// round, one of them has to fail for the others; where three of them do not do so, one or else the
/// other two.
std::vector<std::string> conditions_that_part(std::span<const FormulaName> names, const Kinds& ones,
                                              const Kinds& others, int most_parts = 3);

/// The same of a table: of many kinds some, and of as few parts as so few others can tell apart.
std::vector<std::string> conditions_of_table(std::span<const FormulaName> names, const Kinds& ones,
                                             const Kinds& others, int most_parts);

/// A number that is made of two names.
struct NumberOfTwo {
  std::string text;
  int least;
  int most;
  std::function<int(const Kind&)> value;  ///< of a kind, whose numbers stand as the names do
};
/// Sums, differences, products, and twice one less the other, of these.
std::vector<NumberOfTwo> numbers_of_two(std::span<const FormulaName> names);

/// What these formulas of numbers, which stand as names, come to.
std::function<Kind(const std::vector<int>&)> read_by(const FormulaInfo& info,
                                                     std::span<const FormulaName> names);

/// Such a condition, of a kind.
ConditionOnKinds condition_on(std::span<const FormulaName> names, const std::string& text);

}  // namespace cuvier
