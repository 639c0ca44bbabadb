#include "reports/certificate/sha256.h"

#include <sha2.h>

#include <array>
#include <cstdint>

namespace cuvier {

std::string sha256(std::string_view text) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
  SHA256Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digits.data());
  return digits.data();
}

}  // namespace cuvier
