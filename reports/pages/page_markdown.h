#pragma once

#include <string>

#include "reports/pages/page.h"

namespace cuvier {

/// Without maps and charts.
std::string page_markdown(const Page& page);

}  // namespace cuvier
