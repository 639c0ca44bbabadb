#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/document/page.h"

namespace cuvier {

/// As it stands in the JSON of a report, as `page`, and in the page for browsers.
nlohmann::ordered_json page_json(const Page& page);

/// Throws Error: `where`, field below `path`.
Page page_from_json(const nlohmann::ordered_json& json, const std::string& where,
                    const std::string& path);

}  // namespace cuvier
