#pragma once

#include <map>
#include <vector>

namespace cuvier {

/// One of the numbers that a quantity may be, and the condition under which it is. Of all cases
/// of a quantity, ascending and distinct, exactly one holds.
template <class Bool>
struct Case {
  int value;
  Bool when;
};

template <class Bool>
using Cases = std::vector<Case<Bool>>;

namespace detail {

template <class Bool>
void add(std::map<int, Bool>& by_value, int value, const Bool& when) {
  if (when.is_false()) return;
  const auto [found, added] = by_value.try_emplace(value, when);
  if (!added) found->second = found->second || when;
}

template <class Bool>
Cases<Bool> listed(const std::map<int, Bool>& by_value) {
  if (by_value.size() == 1) return {{by_value.begin()->first, true}};
  Cases<Bool> cases;
  for (const auto& [value, when] : by_value) cases.push_back({value, when});
  return cases;
}

}  // namespace detail

/// operation(a, b), an integer.
template <class Bool, class Operation>
Cases<Bool> combine(const Cases<Bool>& a, const Cases<Bool>& b, const Operation& operation) {
  std::map<int, Bool> by_value;
  for (const auto& x : a) {
    for (const auto& y : b) {
      detail::add(by_value, operation(x.value, y.value), x.when && y.when);
    }
  }
  return detail::listed(by_value);
}

/// relation(a, b), a condition.
template <class Bool, class Relation>
Bool compare(const Cases<Bool>& a, const Cases<Bool>& b, const Relation& relation) {
  Bool holds = false;
  bool always = true;
  for (const auto& x : a) {
    for (const auto& y : b) {
      if (relation(x.value, y.value)) {
        holds = holds || (x.when && y.when);
      } else {
        always = false;
      }
    }
  }
  return always ? Bool(true) : holds;
}

/// `then` under the condition, `otherwise` without it.
template <class Bool>
Cases<Bool> merge(const Bool& condition, const Cases<Bool>& then, const Cases<Bool>& otherwise) {
  std::map<int, Bool> by_value;
  for (const auto& x : then) detail::add(by_value, x.value, condition && x.when);
  for (const auto& x : otherwise) detail::add(by_value, x.value, !condition && x.when);
  return detail::listed(by_value);
}

}  // namespace cuvier
