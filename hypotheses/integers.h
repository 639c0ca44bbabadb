#pragma once

#include <algorithm>

namespace cuvier {

// The scheduler is written once over a value domain D:
//   D::Int, D::Bool          what its quantities are
//   d.choose<Axis>(f)        f(value) for the hypothesis's value, or for all of them, merged;
//                            where d is a C of its own, it declares what is read (rule.h)
//   ite, min, max, possible  functions over them; these are the integers'

using std::max;
using std::min;

inline int ite(bool condition, int then, int otherwise) { return condition ? then : otherwise; }

/// Whether the condition may hold at all; only a false that is certain is false.
inline bool possible(bool condition) { return condition; }

}  // namespace cuvier
