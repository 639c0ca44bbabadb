#include "reports/document/report_html.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "reports/document/embedded_page.h"

namespace cuvier {
namespace {

constexpr std::string_view report_goes_here = "/*REPORT*/";

/// As it may stand in a script element, whatever it says.
std::string embeddable(const nlohmann::ordered_json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    c == '<' ? text += "\\u003c" : text += c;
  }
  return text;
}

}  // namespace

std::string report_html(const nlohmann::ordered_json& report) {
  std::string page(embedded_page());
  return page.replace(page.find(report_goes_here), report_goes_here.size(), embeddable(report));
}

}  // namespace cuvier
