#pragma once

#include <string>
#include <vector>

namespace cuvier {

// What the forms are made of that a FormulaSearch tries as a whole; its members that do so are in
// formula_forms.cpp.

/// Numbers that hardware counts with: of three binary digits, and zeros behind them.
const std::vector<int>& usual_numbers();

/// The text of a formula with another number for one. What rounds up has a number and one less:
/// they go together.
std::string with_another(const std::string& text, int number, int other);

}  // namespace cuvier
