#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cuvier {

/// The JSON as text, on one line or indented by so many columns, with no end of line. What is no
/// UTF-8, as the name of a file may be, becomes U+FFFD. Throws nothing.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace cuvier
