#pragma once

#include <string>

namespace cuvier {

/// The text with what Markdown gives a meaning escaped, for a cell of a table.
std::string in_cell(std::string text);

}  // namespace cuvier
