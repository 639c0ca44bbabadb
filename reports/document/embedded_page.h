#pragma once

#include <string_view>

namespace cuvier {

/// reports/document/html, with its styles and scripts in the page; /*REPORT*/ is where a report
/// goes.
std::string_view embedded_page();

}  // namespace cuvier
