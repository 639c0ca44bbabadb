#pragma once

#include <array>

#include "verify/axes.h"
#include "verify/formula.h"

namespace cuvier::verify {

/// A value of an axis: one of its row, or a formula.
struct Value {
  int named = 0;                     ///< -1: it is a formula
  const Formula* formula = nullptr;  ///< whoever reads the file keeps it
  bool operator==(const Value&) const = default;
};

/// Thrown where a value is read that nobody has decided on: whoever runs the scheduler for many
/// hypotheses at once tries each.
struct Undecided {
  int axis;
};

/// One value of each axis, or of some: a hypothesis, or what many hypotheses share.
class Mechanism {
 public:
  /// Algorithm 1.
  Mechanism() { decided_.fill(true); }
  static Mechanism undecided() {
    Mechanism mechanism;
    mechanism.decided_.fill(false);
    return mechanism;
  }

  void decide(int axis, Value value) {
    values_[axis] = value;
    decided_[axis] = true;
  }
  bool is_decided(int axis) const { return decided_[axis]; }
  const Value* decided(int axis) const { return decided_[axis] ? &values_[axis] : nullptr; }

  /// That a formula is among the values which the axis may have yet.
  void may_be_formula(int axis) { formulas_[axis] = true; }
  /// Whether the axis's value has a name, decided or not: then the page says when it matters.
  template <Text axis>
  bool is_named() const {
    constexpr int at = axis_of<axis>();
    return decided_[at] ? !values_[at].formula : !formulas_[at];
  }

  const Value& operator[](int axis) const {
    if (!decided_[axis]) throw Undecided{axis};
    return values_[axis];
  }

  /// Whether the axis has this value: is<"queue", "fifo">().
  template <Text axis, Text value>
  bool is() const {
    return (*this)[axis_of<axis>()].named == value_of<axis, value>();
  }
  /// The axis's formula; none: its value has a name.
  template <Text axis>
  const Formula* formula() const {
    return (*this)[axis_of<axis>()].formula;
  }
  /// The number that the value's name is.
  template <Text axis>
  int number() const {
    int number = 0;
    for (const char digit : axes[axis_of<axis>()].values[(*this)[axis_of<axis>()].named]) {
      number = 10 * number + (digit - '0');
    }
    return number;
  }

  bool operator==(const Mechanism&) const = default;

 private:
  std::array<Value, axis_count> values_{};
  std::array<bool, axis_count> decided_{};
  std::array<bool, axis_count> formulas_{};
};

}  // namespace cuvier::verify
