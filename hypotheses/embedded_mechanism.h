#pragma once

#include <string_view>

namespace cuvier {

/// The definition of the mechanism (gpu.h, and what it includes), as it was when this was built.
struct EmbeddedMechanism {
  std::string_view standard_headers;  ///< "#include <...>", a line each
  std::string_view text;              ///< without any #include
  std::string_view digest;            ///< of both: eight hexadecimal digits
};

/// Defined by a source that the build generates.
EmbeddedMechanism embedded_mechanism();

}  // namespace cuvier
