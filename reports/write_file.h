#pragma once

#include <string>

namespace cuvier {

/// Writes the text to the path, whole or not at all. Throws Error.
void write_file(const std::string& path, const std::string& text);

}  // namespace cuvier
