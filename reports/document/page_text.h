#pragma once

#include <string>

#include "reports/document/page.h"

namespace cuvier {

/// For terminals: the verdict, what it is about, then the sections that are `in_short`, without
/// maps and charts. Lines are of at most `width` columns, as far as words allow; 0: as long as it
/// takes.
std::string page_text(const Page& page, std::size_t width = 0);

}  // namespace cuvier
