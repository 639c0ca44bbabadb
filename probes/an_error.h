#pragma once

#include <fmt/format.h>

#include <utility>

#include "probes/error.h"

namespace cuvier {

/// Bad input, told in these words: throw an_error("{}: cannot be opened", path). Apart from Error,
/// which an exported model has, too: that sees the standard library alone.
template <class First, class... Rest>
Error an_error(fmt::format_string<First, Rest...> words, First&& first, Rest&&... rest) {
  return Error(fmt::format(words, std::forward<First>(first), std::forward<Rest>(rest)...));
}

}  // namespace cuvier
