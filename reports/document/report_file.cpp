#include "reports/document/report_file.h"

#include <fmt/format.h>

#include "probes/json_fields.h"
#include "reports/document/page_json.h"
#include "reports/document/page_markdown.h"
#include "reports/document/report_html.h"
#include "reports/document/write_file.h"

namespace cuvier {
namespace {

constexpr int schema = 1;

}  // namespace

nlohmann::ordered_json report_file(std::string_view kind, const nlohmann::ordered_json& data,
                                   const Page& page) {
  Json json = {{"schema", schema}, {"kind", kind}};
  json.update(data);
  json["page"] = page_json(page);
  return json;
}

Page page_of_report(const nlohmann::ordered_json& report, const std::string& path) {
  if (!report.is_object() || !report.contains("page")) {
    Place(path).fail(
        "is no report; `cuvier audit`, `validate`, `distinguish` and `simulate` write one with "
        "--json");
  }
  const Place version(path, "schema");
  if (!report.contains("schema")) version.fail(fmt::format("is missing; it must be {}", schema));
  read_integer(report["schema"], version, {schema, schema});
  return page_from_json(report["page"], path, "page");
}

void write_page(const std::string& path, const Page& page) {
  write_file(path, path.ends_with(".html") ? report_html(page_json(page)) : page_markdown(page));
}

}  // namespace cuvier
