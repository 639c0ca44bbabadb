#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "hypotheses/axis.h"

namespace cuvier {

/// A name that formulas of an axis may read, as its place among these. A text is looked up while it
/// is compiled, and one that is no name does not compile.
template <class A>
class NameOf {
 public:
  consteval NameOf(const char* name) : place_(place_of(name)) {}
  constexpr operator int() const { return place_; }

 private:
  static consteval int place_of(std::string_view name) {
    for (int place = 0; place < std::ssize(A::names); ++place) {
      if (A::names[place].name == name) return place;
    }
    throw "the axis has no such name";
  }

  int place_;
};

/// What a formula of an axis reads.
template <class A, class Int>
struct Seen {
  std::array<Int, std::size(A::names)> values{};  ///< in the order of the names

  Int& operator[](NameOf<A> name) { return values[name]; }
  const Int& operator[](NameOf<A> name) const { return values[name]; }
  bool operator==(const Seen&) const = default;

  /// The same numbers of another domain.
  template <class Other>
  Seen<A, Other> as() const {
    if constexpr (std::is_same_v<Int, Other>) return *this;
    Seen<A, Other> seen;
    std::ranges::copy(values, seen.values.begin());
    return seen;
  }
};

}  // namespace cuvier
