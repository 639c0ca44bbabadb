#include "probes/format.h"

#include <fmt/format.h>

namespace cuvier {

void fail_with(const Json& json, const Place& place, const char* message) {
  const std::string value = json.is_string() ? in_quotes(json.get<std::string>()) : json.dump();
  place.fail(fmt::format(fmt::runtime(message), value));
}

}  // namespace cuvier
