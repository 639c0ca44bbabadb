#pragma once

#include <string>

namespace cuvier {

/// A new folder in the system's place for temporary files: "/tmp/cuvier-NAME-x3Gh6a". It stays.
std::string new_temporary_folder(const std::string& name);

}  // namespace cuvier
