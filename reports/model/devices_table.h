#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cuvier {

/// The GPUs whose documented facts are built in, one a line; then their notes.
std::string devices_text();

/// {NAME: {the fields of a device file}, ...}.
nlohmann::ordered_json devices_json();

}  // namespace cuvier
