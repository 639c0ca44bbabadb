#pragma once

#include <concepts>
#include <vector>

#include "hypotheses/scheduler/options.h"
#include "hypotheses/scheduler/sm_rules.h"
#include "solver/space/paths.h"

namespace cuvier {

/// What an exploration takes from quantities: sets of hypotheses, and functions of them.
template <class V>
concept LiftedValues = SetsOfHypotheses<V> &&
    requires(V& v, const typename V::Bool& set, const typename V::Int& quantity,
             const typename V::Warps& warps, const std::vector<int>& route, int n) {
  { v.idle_warps() } -> std::convertible_to<typename V::Warps>;
  { v.idle_shared() } -> std::convertible_to<typename V::Shared>;
  { v.constant(n) } -> std::convertible_to<typename V::Int>;
  { v.equals(quantity, n) } -> std::convertible_to<typename V::Bool>;
  { v.route_is(warps, route) } -> std::convertible_to<typename V::Bool>;
  // Whether they are one function, as far as that is seen at a glance.
  { v.same(quantity, quantity) } -> std::same_as<bool>;
  { v.same(set, set) } -> std::same_as<bool>;
  { v.apply(Beats{}, set, quantity, quantity) } -> std::convertible_to<typename V::Bool>;
};

}  // namespace cuvier
