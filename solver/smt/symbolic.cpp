#include "solver/smt/symbolic.h"

#include <bit>
#include <string>

namespace cuvier {

bool SymbolicInt::same(const SymbolicInt& other) const {
  if (cases_.size() != other.cases_.size()) return false;
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (cases_[i].value != other.cases_[i].value || !cases_[i].when.same(other.cases_[i].when)) {
      return false;
    }
  }
  return true;
}

SymbolicInt combine(const SymbolicInt& a, const SymbolicInt& b,
                    const std::function<int(int, int)>& operation) {
  return SymbolicInt(combine(a.cases(), b.cases(), operation));
}

SymbolicBool compare(const SymbolicInt& a, const SymbolicInt& b,
                     const std::function<bool(int, int)>& relation) {
  return compare(a.cases(), b.cases(), relation);
}

SymbolicBool is_less(const SymbolicInt& a, const SymbolicInt& b, bool or_equal) {
  SymbolicBool holds = false;
  SymbolicBool a_is_below = false;
  auto x = a.cases().begin();
  for (const auto& y : b.cases()) {
    for (; x != a.cases().end() && (x->value < y.value || (or_equal && x->value == y.value)); ++x) {
      a_is_below = a_is_below || x->when;
    }
    if (x == a.cases().end()) a_is_below = true;
    holds = holds || (y.when && a_is_below);
  }
  return x == a.cases().end() && a.cases().back().value <= b.cases().front().value - !or_equal
             ? SymbolicBool(true)
             : holds;
}

SymbolicInt ite(const SymbolicBool& condition, const SymbolicInt& then,
                const SymbolicInt& otherwise) {
  if (condition.is_true() || then.same(otherwise)) return then;
  if (condition.is_false()) return otherwise;
  return SymbolicInt(merge(condition, then.cases(), otherwise.cases()));
}

AxisInputs::AxisInputs(Circuit& circuit, const Assumptions& assumptions) {
  for (int axis = 0; axis < kAxes; ++axis) {
    std::vector<Circuit::Literal> inputs;
    for (int v = 0; v < axis_size(axis); ++v) {
      is_[axis].emplace_back(assumptions.allows(axis, v));
      if (!assumptions.allows(axis, v) || std::has_single_bit(assumptions.allowed[axis])) continue;
      const AxisInfo& info = axis_info(axis);
      inputs.push_back(circuit.input(
          std::string(info.name) + "=" + std::string(axis_value(axis, v).name), axis + 1));
      is_[axis].back() = {circuit, inputs.back()};
    }
    if (!inputs.empty()) circuit.require_one_of(inputs);
  }
}

}  // namespace cuvier
