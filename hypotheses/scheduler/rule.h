#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "hypotheses/axes.h"

namespace cuvier {

/// A list of rules. A rule is a function of the states of one SM over a value domain:
///   Axes                      the axes that it reads, an AxisList; it can read no others
///   operator()(Declared<D, Axes>, states...)
///   ==                        rules that are equal answer alike
template <class... Rules>
struct RuleList {
  /// What any of them reads.
  using Axes = decltype((AxisList<>{} + ... + typename Rules::Axes{}));
};

/// Both in one. Only its type counts.
template <class... A, class... B>
RuleList<A..., B...> operator+(RuleList<A...>, RuleList<B...>);

/// The domain D as a rule sees it: these axes and no others.
template <class D, class Axes>
struct Declared;

template <class D, class... A>
struct Declared<D, AxisList<A...>> {
  using Int = typename D::Int;
  using Bool = typename D::Bool;

  const D& domain;

  template <class Axis, class F>
  auto choose(F&& f) const {
    static_assert((std::is_same_v<Axis, A> || ...), "a rule reads an axis that its Axes lack");
    return domain.template choose<Axis>(std::forward<F>(f));
  }
};

/// What the rule makes of the states.
template <class Rule, class D, class... States>
auto evaluate(const Rule& rule, const D& domain, States&&... states) {
  return rule(Declared<D, typename Rule::Axes>{domain}, std::forward<States>(states)...);
}

/// Whether every axis of the list is about one of these parts.
template <class... Axes>
constexpr bool are_of(AxisList<Axes...>, std::initializer_list<Part> parts) {
  const auto is_of = [&](Part part) {
    for (const Part p : parts) {
      if (p == part) return true;
    }
    return false;
  };
  return (is_of(Axes::title.part) && ...);
}

/// Whether the list has every axis that is about the part.
template <class... Axes>
constexpr bool has_all_of(AxisList<Axes...> axes, Part part) {
  const auto is_member = members(axes);
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis_info(axis).part == part && !is_member[axis]) return false;
  }
  return true;
}

}  // namespace cuvier
