#include "solver/space/symbolic.h"

#include <bit>
#include <map>
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

namespace {

SymbolicInt from(const std::map<int, SymbolicBool>& by_value) {
  std::vector<SymbolicInt::Case> cases;
  for (const auto& [value, when] : by_value) cases.push_back({value, when});
  return SymbolicInt(std::move(cases));
}

void add(std::map<int, SymbolicBool>& by_value, int value, const SymbolicBool& when) {
  if (when.is_false()) return;
  const auto [found, added] = by_value.try_emplace(value, when);
  if (!added) found->second = found->second || when;
}

}  // namespace

SymbolicInt combine(const SymbolicInt& a, const SymbolicInt& b,
                    const std::function<int(int, int)>& operation) {
  std::map<int, SymbolicBool> by_value;
  for (const auto& x : a.cases()) {
    for (const auto& y : b.cases()) {
      add(by_value, operation(x.value, y.value), x.when && y.when);
    }
  }
  if (by_value.size() == 1) return by_value.begin()->first;
  return from(by_value);
}

SymbolicBool compare(const SymbolicInt& a, const SymbolicInt& b,
                     const std::function<bool(int, int)>& relation) {
  SymbolicBool holds = false;
  bool always = true;
  for (const auto& x : a.cases()) {
    for (const auto& y : b.cases()) {
      if (relation(x.value, y.value)) {
        holds = holds || (x.when && y.when);
      } else {
        always = false;
      }
    }
  }
  return always ? SymbolicBool(true) : holds;
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
  std::map<int, SymbolicBool> by_value;
  for (const auto& x : then.cases()) add(by_value, x.value, condition && x.when);
  for (const auto& x : otherwise.cases()) add(by_value, x.value, !condition && x.when);
  if (by_value.size() == 1) return by_value.begin()->first;
  return from(by_value);
}

AxisInputs::AxisInputs(Circuit& circuit, const Assumptions& assumptions) {
  for (int axis = 0; axis < kAxes; ++axis) {
    std::vector<Circuit::Literal> inputs;
    for (int v = 0; v < axis_size(axis); ++v) {
      is_[axis].emplace_back(assumptions.allows(axis, v));
      if (!assumptions.allows(axis, v) || std::has_single_bit(assumptions.allowed[axis])) continue;
      const AxisInfo& info = axis_info(axis);
      inputs.push_back(
          circuit.input(std::string(info.name) + "=" + std::string(info.values[v].name), axis + 1));
      is_[axis].back() = {circuit, inputs.back()};
    }
    if (!inputs.empty()) circuit.require_one_of(inputs);
  }
}

}  // namespace cuvier
