#include "reports/document/report_file.h"

#include <boost/algorithm/string/replace.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

#include "probes/json_fields.h"
#include "reports/document/json_text.h"
#include "reports/document/page.h"
#include "reports/document/write_file.h"

namespace cuvier {
namespace {

constexpr int schema = 1;

/// As it may stand in a script element, whatever it says.
std::string embeddable(const nlohmann::ordered_json& json) {
  return boost::replace_all_copy(json_text(json), "<", "\\u003c");
}

/// For who runs no scripts: what a terminal leaves out, too.
std::string whole_text(Page page) {
  constexpr std::size_t width = 100;
  for (Section& section : page.sections) {
    section.in_short = true;
    for (Item& item : section.items) {
      if (auto* const table = std::get_if<Table>(&item)) table->in_short = std::string::npos;
    }
  }
  const std::string text = plain(page.title) + "\n\n" + page_text(page, width);
  return boost::replace_all_copy(boost::replace_all_copy(text, "&", "&amp;"), "<", "&lt;");
}

}  // namespace

nlohmann::ordered_json report_file(std::string_view kind, nlohmann::ordered_json data,
                                   const Page& page) {
  Json json = {{"schema", schema}, {"kind", kind}};
  for (const auto& [name, value] : data.items()) json[name] = std::move(value);
  json["page"] = page_json(page);
  return json;
}

Page page_of_report(const nlohmann::ordered_json& report, const std::string& path) {
  if (!report.is_object() || !report.contains("page")) {
    Place(path).fail(
        "is no report; `cuvier audit`, `validate`, `distinguish`, `simulate` and `fleet report` "
        "write one with --json, and `invent` writes invention.json");
  }
  const Place version(path, "schema");
  if (!report.contains("schema")) version.fail("is missing; it must be {}", schema);
  read_integer(report["schema"], version, {schema, schema});
  return page_from_json(report["page"], path, "page");
}

void write_page(const std::string& path, const Page& page) {
  write_file(path,
             path.ends_with(".html") ? report_html(page_json(page), page) : page_markdown(page));
}

std::string report_html(const nlohmann::ordered_json& report, const Page& page) {
  std::string html(embedded_page());
  boost::replace_first(html, "/*TEXT*/", whole_text(page));
  boost::replace_first(html, "/*REPORT*/", embeddable(report));
  return html;
}

}  // namespace cuvier
