#include "reports/markdown.h"

namespace cuvier {

std::string in_cell(std::string text) {
  for (const char special : {'\\', '|', '_', '*', '<', '['}) {
    for (std::size_t at = 0; (at = text.find(special, at)) != std::string::npos; at += 2) {
      text.insert(at, 1, '\\');
    }
  }
  return text;
}

}  // namespace cuvier
