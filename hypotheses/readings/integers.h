#pragma once

#include <algorithm>

namespace cuvier {

// What a value domain (value_domain.h) has as functions: these are the integers'.

using std::max;
using std::min;

inline int ite(bool condition, int then, int otherwise) { return condition ? then : otherwise; }

/// Whether the condition may hold at all; only a false that is certain is false.
inline bool possible(bool condition) { return condition; }

}  // namespace cuvier
