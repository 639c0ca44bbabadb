#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "reports/document/page.h"

namespace cuvier {

/// What `cuvier report` takes as a file: {"schema":1, "kind":KIND, ...data..., "page":{...}}.
nlohmann::ordered_json report_file(std::string_view kind, nlohmann::ordered_json data,
                                   const Page& page);

/// Throws Error: `path` and field, also where it is no such file.
Page page_of_report(const nlohmann::ordered_json& report, const std::string& path);

/// As HTML where the path ends in .html, else as Markdown.
void write_page(const std::string& path, const Page& page);

/// One page for browsers, with all that it needs in it, that shows this report: as text where
/// nothing runs scripts.
std::string report_html(const nlohmann::ordered_json& report, const Page& page);

/// reports/document/html, with its styles and scripts in the page; /*REPORT*/ is where a report
/// goes, /*TEXT*/ where its text does. Defined by a source that the build generates.
std::string_view embedded_page();

}  // namespace cuvier
