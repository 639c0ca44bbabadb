#pragma once

#include <string>

#include "reports/document/page.h"

namespace cuvier {

/// The text with what Markdown gives a meaning escaped, as for a cell of a table.
std::string in_markdown(std::string text);

/// Without maps and charts.
std::string page_markdown(const Page& page);

}  // namespace cuvier
