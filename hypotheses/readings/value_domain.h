#pragma once

#include <concepts>

#include "hypotheses/axes/queue.h"
#include "hypotheses/readings/integers.h"

namespace cuvier {

/// What rules of one SM (sm_rules.h) are written over: Int and Bool are what quantities and
/// conditions are; choose<Axis>(f) is f(value) of the hypothesis's value on that axis, or of all
/// values, merged.
template <class D>
concept ValueDomain = requires(const D& d, const typename D::Int& a, const typename D::Int& b,
                               const typename D::Bool& c) {
  { a + b } -> std::convertible_to<typename D::Int>;
  { a - b } -> std::convertible_to<typename D::Int>;
  { (a * b) } -> std::convertible_to<typename D::Int>;
  { a / b } -> std::convertible_to<typename D::Int>;
  { a % b } -> std::convertible_to<typename D::Int>;
  { a == b } -> std::convertible_to<typename D::Bool>;
  { a <= b } -> std::convertible_to<typename D::Bool>;
  { a < b } -> std::convertible_to<typename D::Bool>;
  { (c && c) } -> std::convertible_to<typename D::Bool>;
  { c || c } -> std::convertible_to<typename D::Bool>;
  { !c } -> std::convertible_to<typename D::Bool>;
  { ite(c, a, b) } -> std::convertible_to<typename D::Int>;
  { min(a, b) } -> std::convertible_to<typename D::Int>;
  { max(a, b) } -> std::convertible_to<typename D::Int>;
  // Whether it may hold at all; only a false that is certain is false.
  { possible(c) } -> std::same_as<bool>;
  {
    d.template choose<Queue>([](Queue::Value) { return typename D::Int(0); })
    } -> std::convertible_to<typename D::Int>;
  requires std::constructible_from<typename D::Int, int>;
  requires std::constructible_from<typename D::Bool, bool>;
};

}  // namespace cuvier
