#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cuvier {

/// One page for browsers, with all that it needs in it, that shows this report (report_json.h).
std::string report_html(const nlohmann::ordered_json& report);

}  // namespace cuvier
