#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuvier {

/// The name in quotes, for a message that nothing is called so: "selecton" (did you mean
/// selection?). The hint is given where one of the names is at most two letters away, and no more
/// than a third of its own (Damerau and Levenshtein's distance).
std::string in_quotes_with_hint(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace cuvier
