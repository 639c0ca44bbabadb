#pragma once

#include <map>
#include <string>

namespace cuvier {

/// JSON Schemas, by the names that their files have in docs/reference/schemas: of each format whose
/// fields are a table (probes/format.h).
std::map<std::string, std::string> schema_files();

}  // namespace cuvier
