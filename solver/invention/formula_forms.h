#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hypotheses/formulas/formula.h"

namespace cuvier {

// The numbers in formulas, of which the forms are made that a FormulaSearch tries as a whole; its
// members that do so are in formula_forms.cpp.

/// Numbers that hardware counts with: of three binary digits, and zeros behind them.
const std::vector<int>& usual_numbers();

/// Parts that a device, a grid or a block may have, of which one has its turn.
inline constexpr int usual_parts[] = {2, 3, 4, 6, 8};

/// How far from 0 the name can be.
int furthest_of(const FormulaInfo& info, const std::string& name);

/// Of two of these the product is in range.
inline constexpr int kMostFactor = 1 << 14;

/// The name as what a product is made of: with that bound, where it could be more.
std::string bounded(const FormulaName& name);

/// None where numbers could leave their range.
std::optional<Formula> formula_in_range(const FormulaInfo& info, const std::string& text);

/// Of these formulas those in range that read no other names (a bit each), the smallest first, and
/// so many at most.
std::vector<std::string> smallest_in_range(const FormulaInfo& info,
                                           const std::vector<std::string>& texts, std::size_t most,
                                           std::uint32_t names = ~0u);

/// The numbers that are in a formula.
std::set<int> numbers_in(const Formula& formula);

/// Whether it is what rounding up to one more needs, among these: 1023 beside 1024.
bool rounds_up_with(int number, const std::set<int>& numbers);

/// The text of a formula with another number for one. What rounds up has a number and one less:
/// they go together.
std::string with_another(const std::string& text, int number, int other);

/// These formulas with a usual number in the place of one, where they have any; not all of very
/// many. Any may leave the range of numbers.
std::set<std::string> with_other_numbers(const FormulaInfo& info,
                                         const std::set<std::string>& texts);

/// What may hold for some blocks where one of these rules holds for the others: a rule with another
/// number, twice or half of it, so much more or less, a name that is not fleeting, a number; of
/// conditions, what always or never holds. Any may leave the range of numbers.
std::vector<std::string> simple_others(const FormulaInfo& info,
                                       const std::vector<std::string>& rules);

}  // namespace cuvier
