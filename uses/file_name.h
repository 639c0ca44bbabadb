#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace cuvier {

/// A name for a file: what else than letters, digits, '.', '_' and '-' it has becomes '-'.
inline std::string file_name(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '_' && c != '-'; },
      '-');
  return text.starts_with('.') ? "-" + text : text;
}

}  // namespace cuvier
