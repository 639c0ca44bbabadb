#pragma once

#include <string_view>

namespace cuvier {

/// A file of the project that travels inside the program, as it was when this was built.
struct EmbeddedFile {
  std::string_view name;  ///< from its folder on, without its ending: "rtx3090"
  std::string_view text;
};

}  // namespace cuvier
