#include "reports/document/json_text.h"

#include <nlohmann/json.hpp>

namespace cuvier {

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace cuvier
