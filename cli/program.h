#pragma once

#include <string>

namespace cuvier {

/// Whether a program can be run: by its path, or found on the PATH by its name.
bool is_installed(const std::string& program);

}  // namespace cuvier
