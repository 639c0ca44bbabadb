#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "hypotheses/formulas/formula.h"
#include "hypotheses/formulas/names.h"
#include "hypotheses/readings/integers.h"

namespace cuvier {

/// What a formula comes to in a value domain (readings/value_domain.h).
template <class Int, class Bool>
class Evaluation {
 public:
  Evaluation(const Formula& formula, std::span<const Int> names) : formula_(formula) {
    if constexpr (std::is_same_v<Int, int>) {
      if (formula.instead) {
        const int number = formula.instead(names);
        values_[0] = {number, number != 0};
        return;
      }
      int next = 0;
      for (const Formula::Node& node : formula.nodes) values_[next++] = value_of(node, names);
    } else {
      values_.reserve(formula.nodes.size());
      for (const Formula::Node& node : formula.nodes) values_.push_back(value_of(node, names));
    }
  }

  const Int& number(int part = 0) const { return values_[formula_.parts[part]].number; }
  /// Of a tuple, all parts.
  std::vector<Int> numbers() const {
    std::vector<Int> numbers;
    for (const int part : formula_.parts) numbers.push_back(values_[part].number);
    return numbers;
  }
  /// Of a tuple, one number by which what it orders is ordered alike.
  Int key() const {
    Int key = number();
    for (int part = 1; part < static_cast<int>(formula_.parts.size()); ++part) {
      const Formula::Range& range = formula_.ranges[part];
      key = key * Int(static_cast<int>(range.most - range.least + 1)) +
            (number(part) - Int(static_cast<int>(range.least)));
    }
    return key;
  }

  const Bool& condition() const { return values_[formula_.parts[0]].condition; }

 private:
  struct Value {
    Int number;
    Bool condition;
  };
  static Value number_of(Int number) { return {std::move(number), Bool(false)}; }
  static Value condition_of(Bool condition) { return {Int(0), std::move(condition)}; }

  Value value_of(const Formula::Node& node, std::span<const Int> names) const {
    using Op = Formula::Op;
    const auto number = [&](int i) -> const Int& { return values_[node.of[i]].number; };
    const auto holds = [&](int i) -> const Bool& { return values_[node.of[i]].condition; };
    switch (node.op) {
      case Op::constant:
        return number_of(Int(node.value));
      case Op::name:
        return number_of(names[node.value]);
      case Op::negated:
        return number_of(Int(0) - number(0));
      case Op::absolute:
        return number_of(max(number(0), Int(0) - number(0)));
      case Op::power:
        return number_of(up_to_power_of_two(number(0)));
      case Op::sum:
        return number_of(number(0) + number(1));
      case Op::difference:
        return number_of(number(0) - number(1));
      case Op::product:
        return number_of(number(0) * number(1));
      case Op::quotient:
        return number_of(quotient(node, number(0), number(1)));
      case Op::remainder:
        return number_of(remainder(node, number(0), number(1)));
      case Op::least:
        return number_of(min(number(0), number(1)));
      case Op::greatest:
        return number_of(max(number(0), number(1)));
      case Op::choice:
        return number_of(ite(holds(0), number(1), number(2)));
      case Op::less:
        return condition_of(number(0) < number(1));
      case Op::at_most:
        return condition_of(number(0) <= number(1));
      case Op::equal:
        return condition_of(number(0) == number(1));
      case Op::unequal:
        return condition_of(!Bool(number(0) == number(1)));
      case Op::both:
        return condition_of(holds(0) && holds(1));
      case Op::either:
        return condition_of(holds(0) || holds(1));
      case Op::negation:
        return condition_of(!holds(0));
    }
    return number_of(Int(0));
  }

  /// Domains divide what is not negative by what is above 0.
  static Int rounded_down(const Formula::Node& node, const Int& a, const Int& divisor) {
    if (!node.may_be_negative) return a / divisor;
    const Int below = (divisor - 1 - min(a, Int(0))) / divisor;
    return ite(a < Int(0), Int(0) - below, max(a, Int(0)) / divisor);
  }
  static Int quotient(const Formula::Node& node, const Int& a, const Int& b) {
    if (!node.may_divide_by_none) return rounded_down(node, a, b);
    return ite(b <= Int(0), Int(0), rounded_down(node, a, max(b, Int(1))));
  }
  static Int remainder(const Formula::Node& node, const Int& a, const Int& b) {
    if (!node.may_be_negative && !node.may_divide_by_none) return a % b;
    return ite(b <= Int(0), Int(0), a - b * quotient(node, a, b));
  }

  const Formula& formula_;
  /// By node. Predictions evaluate often: their integers need no memory from elsewhere.
  std::conditional_t<std::is_same_v<Int, int>, std::array<Value, Formula::kMostNodes>,
                     std::vector<Value>>
      values_;
};

/// The integers, where no axis is read.
struct PlainIntegers {
  using Int = int;
  using Bool = bool;
};

/// The formula that is the axis's value (axes.h).
template <class Axis>
const Formula& formula_of(int value);

/// Whether the value is a formula that reads the name (axes.h).
template <class Axis>
bool formula_reads(int value, NameOf<Axis> name);

/// What it comes to, of these names. A number beyond what its name can be counts as the nearest
/// that it can.
template <class Axis, class D>
Evaluation<typename D::Int, typename D::Bool> evaluation_of(
    int value, std::span<const typename D::Int> names) {
  const Formula& formula = formula_of<Axis>(value);
  if constexpr (std::is_same_v<typename D::Int, int>) {
    std::array<int, std::size(Axis::names)> within;  // those that it reads
    for (std::uint32_t left = formula.names; left != 0; left &= left - 1) {
      const int i = std::countr_zero(left);
      within[i] = std::clamp(names[i], Axis::names[i].least, Axis::names[i].most);
    }
    return {formula, within};
  } else {
    return {formula, names};
  }
}
template <class Axis, class D>
Evaluation<typename D::Int, typename D::Bool> evaluation_of(
    int value, std::initializer_list<typename D::Int> names) {
  return evaluation_of<Axis, D>(value, std::span(names.begin(), names.size()));
}

/// Of a formula that orders, what is compared part by part.
template <class Axis>
std::vector<int> order_by_formula(int value, std::initializer_list<int> names) {
  return evaluation_of<Axis, PlainIntegers>(value, names).numbers();
}

/// The same of a number, brought to the nearest one that the axis takes.
template <class Axis, class D>
typename D::Int number_by_formula(int value, std::initializer_list<typename D::Int> names) {
  using Int = typename D::Int;
  const Formula::Range range = formula_of<Axis>(value).ranges[0];
  Int number = evaluation_of<Axis, D>(value, names).number();
  if (range.least < Axis::formula.least) number = max(number, Int(Axis::formula.least));
  if (range.most > Axis::formula.most) number = min(number, Int(Axis::formula.most));
  return number;
}

/// The same of a condition.
template <class Axis, class D>
typename D::Bool condition_by_formula(int value, std::initializer_list<typename D::Int> names) {
  return evaluation_of<Axis, D>(value, names).condition();
}

}  // namespace cuvier
