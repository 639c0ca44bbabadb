#pragma once

#include <array>
#include <optional>
#include <string>

#include "verify/axes.h"
#include "verify/formula.h"

namespace cuvier::verify {

/// A value of an axis: one of its row, or a formula. There is one object of each, which is kept as
/// long as the program runs; so values are compared by their address.
struct Value {
  std::string text;
  int named;                    ///< its place in the row; -1: it is a formula
  std::optional<Formula> rule;  ///< what it says; none: it is a way of working
};

/// The value of that name, or which is that formula. Throws Unreadable.
const Value* value_of(int axis, const std::string& text, const std::string& where = {});

/// One value of each axis, or of some.
class Mechanism {
 public:
  static Mechanism algorithm_1();

  const Value*& operator[](int axis) { return values_[axis]; }
  /// Null: nobody decided on it.
  const Value* operator[](int axis) const { return values_[axis]; }
  /// Whether its axis has this value: is("queue=fifo").
  bool is(Named value) const { return values_[value.axis]->named == value.value; }
  /// What the axis's value says; null: it is a way of working.
  const Formula* rule(Axis axis) const {
    const auto& rule = values_[axis.number]->rule;
    return rule ? &*rule : nullptr;
  }
  /// The same of an axis whose values all say something.
  long number(Axis axis, Formula::Numbers names) const { return rule(axis)->number(names); }

 private:
  std::array<const Value*, axis_count> values_{};
};

}  // namespace cuvier::verify
