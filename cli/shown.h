#pragma once

#include <string>

#include "reports/document/page.h"

namespace cuvier {

/// As text for standard output: as wide as the terminal where it is one, else lines stay whole.
std::string shown(const Page& page);

}  // namespace cuvier
