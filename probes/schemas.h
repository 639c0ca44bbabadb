#pragma once

#include <nlohmann/json_fwd.hpp>

namespace cuvier {

// JSON Schemas, from the tables by which files are read and written (probes/format.h).

nlohmann::ordered_json device_schema();  ///< as it stands in other files
nlohmann::ordered_json probe_schema();
nlohmann::ordered_json recordings_line_schema();

}  // namespace cuvier
