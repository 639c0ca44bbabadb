#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuvier {

/// The one of the names that is at most two letters away, and no more than a third of its own
/// (Damerau and Levenshtein's distance).
std::optional<std::string_view> nearest_name(std::string_view name,
                                             const std::vector<std::string_view>& names);

/// The name in quotes, for a message that nothing is called so, with the nearest if any:
/// "selecton" (did you mean selection?).
std::string in_quotes_with_hint(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace cuvier
