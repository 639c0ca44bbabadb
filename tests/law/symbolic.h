#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "hypotheses/readings/value_domain.h"
#include "solver/smt/cases.h"
#include "solver/smt/circuit.h"

namespace cuvier {

/// A condition on the hypothesis.
class SymbolicBool {
 public:
  SymbolicBool(bool value = false) : literal_(value ? Circuit::kTrue : -Circuit::kTrue) {}
  SymbolicBool(Circuit& circuit, Circuit::Literal literal)
      : circuit_(&circuit), literal_(literal) {}

  bool is_true() const { return literal_ == Circuit::kTrue; }
  bool is_false() const { return literal_ == -Circuit::kTrue; }
  Circuit::Literal literal() const { return literal_; }

  friend SymbolicBool operator&&(const SymbolicBool& a, const SymbolicBool& b) {
    Circuit* circuit = a.circuit_ ? a.circuit_ : b.circuit_;
    if (!circuit) return a.is_true() && b.is_true();
    return {*circuit, circuit->both(a.literal_, b.literal_)};
  }
  friend SymbolicBool operator!(SymbolicBool a) {
    a.literal_ = -a.literal_;
    return a;
  }
  friend SymbolicBool operator||(const SymbolicBool& a, const SymbolicBool& b) {
    return !(!a && !b);
  }

  /// Whether they are the same node.
  bool same(const SymbolicBool& other) const { return literal_ == other.literal_; }

 private:
  Circuit* circuit_ = nullptr;  ///< none: true or false
  Circuit::Literal literal_;
};

/// An integer that depends on the hypothesis: each value that it may have, with the condition
/// under which it has it. The scheduler's quantities have few values, so what reaches Z3 is
/// propositional: no arithmetic, no division by an unknown.
class SymbolicInt {
 public:
  using Cases = cuvier::Cases<SymbolicBool>;

  SymbolicInt(int value = 0) : cases_{{value, true}} {}

  /// One of the values, by their conditions, exactly one of which holds.
  explicit SymbolicInt(Cases cases) : cases_(std::move(cases)) {}

  const Cases& cases() const { return cases_; }
  bool same(const SymbolicInt& other) const;

 private:
  Cases cases_;  ///< ascending, distinct
};

inline bool SymbolicInt::same(const SymbolicInt& other) const {
  if (cases_.size() != other.cases_.size()) return false;
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (cases_[i].value != other.cases_[i].value || !cases_[i].when.same(other.cases_[i].when)) {
      return false;
    }
  }
  return true;
}

inline SymbolicInt combine(const SymbolicInt& a, const SymbolicInt& b,
                           const std::function<int(int, int)>& operation) {
  return SymbolicInt(combine(a.cases(), b.cases(), operation));
}

inline SymbolicBool compare(const SymbolicInt& a, const SymbolicInt& b,
                            const std::function<bool(int, int)>& relation) {
  return compare(a.cases(), b.cases(), relation);
}

inline SymbolicBool is_less(const SymbolicInt& a, const SymbolicInt& b, bool or_equal) {
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

inline SymbolicInt ite(const SymbolicBool& condition, const SymbolicInt& then,
                       const SymbolicInt& otherwise) {
  if (condition.is_true() || then.same(otherwise)) return then;
  if (condition.is_false()) return otherwise;
  return SymbolicInt(merge(condition, then.cases(), otherwise.cases()));
}

// Of few cases, all pairs: those that exclude each other are seen at a glance. Of many, the
// pairs would be too many: what is less is told case by case of one side.
inline bool are_many(const SymbolicInt& a, const SymbolicInt& b) {
  return a.cases().size() * b.cases().size() > 64;
}

inline SymbolicInt operator+(const SymbolicInt& a, const SymbolicInt& b) {
  return combine(a, b, [](int x, int y) { return x + y; });
}
inline SymbolicInt operator-(const SymbolicInt& a, const SymbolicInt& b) {
  return combine(a, b, [](int x, int y) { return x - y; });
}
inline SymbolicInt operator*(const SymbolicInt& a, const SymbolicInt& b) {
  return combine(a, b, [](int x, int y) { return x * y; });
}
// Where two conditions exclude each other, a pair of values that cannot meet may be divided
// all the same: its result is never used.
inline SymbolicInt operator/(const SymbolicInt& a, const SymbolicInt& b) {
  return combine(a, b, [](int x, int y) { return y == 0 ? 0 : x / y; });
}
inline SymbolicInt operator%(const SymbolicInt& a, const SymbolicInt& b) {
  return combine(a, b, [](int x, int y) { return y == 0 ? 0 : x % y; });
}
inline SymbolicInt min(const SymbolicInt& a, const SymbolicInt& b) {
  if (are_many(a, b)) return ite(is_less(a, b, true), a, b);
  return combine(a, b, [](int x, int y) { return x < y ? x : y; });
}
inline SymbolicInt max(const SymbolicInt& a, const SymbolicInt& b) {
  if (are_many(a, b)) return ite(is_less(a, b, true), b, a);
  return combine(a, b, [](int x, int y) { return x > y ? x : y; });
}
inline SymbolicBool operator==(const SymbolicInt& a, const SymbolicInt& b) {
  return compare(a, b, [](int x, int y) { return x == y; });
}
inline SymbolicBool operator<(const SymbolicInt& a, const SymbolicInt& b) {
  if (are_many(a, b)) return is_less(a, b, false);
  return compare(a, b, [](int x, int y) { return x < y; });
}
inline SymbolicBool operator<=(const SymbolicInt& a, const SymbolicInt& b) {
  if (are_many(a, b)) return is_less(a, b, true);
  return compare(a, b, [](int x, int y) { return x <= y; });
}
inline SymbolicBool operator>(const SymbolicInt& a, const SymbolicInt& b) { return b < a; }
inline SymbolicBool operator>=(const SymbolicInt& a, const SymbolicInt& b) { return b <= a; }

inline bool possible(const SymbolicBool& condition) { return !condition.is_false(); }

/// The value domain of these constraints: every hypothesis at once, all branches merged.
struct Symbolic {
  using Int = SymbolicInt;
  using Bool = SymbolicBool;

  Circuit& circuit;
  const AxisInputs& axes;

  template <class A, class F>
  auto choose(F&& f) const {
    using Value = typename A::Value;
    using Result = decltype(f(Value{}));
    std::optional<Result> merged;
    for (int v = 0; v < axis_size(index_of<A>()); ++v) {
      const SymbolicBool when(circuit, axes.is(index_of<A>(), v));
      if (when.is_false()) continue;
      Result result = f(static_cast<Value>(v));
      merged = merged ? merge(when, result, *merged) : result;
    }
    return *merged;
  }

 private:
  static SymbolicInt merge(const SymbolicBool& when, const SymbolicInt& a, const SymbolicInt& b) {
    return ite(when, a, b);
  }
  static SymbolicBool merge(const SymbolicBool& when, const SymbolicBool& a,
                            const SymbolicBool& b) {
    return (when && a) || (!when && b);
  }
  static std::vector<SymbolicInt> merge(const SymbolicBool& when, std::vector<SymbolicInt> a,
                                        const std::vector<SymbolicInt>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = ite(when, a[i], b[i]);
    return a;
  }
};

static_assert(ValueDomain<Symbolic>);

}  // namespace cuvier
