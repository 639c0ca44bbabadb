#pragma once

#include <string>
#include <string_view>

namespace cuvier {

/// SHA-256 of the text (FIPS 180-4) as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view text);

}  // namespace cuvier
