#pragma once

#include "hypotheses/axes.h"

namespace cuvier {

/// How a component of the scheduler branches on axes, over a reading R (scheduler.h): on those of
/// its parts. Another part's do not compile: proofs rest on which component reads what.
template <class R, Part... parts>
class AxisReader {
 public:
  explicit AxisReader(R& reading) : reading_(reading) {}

  /// The axis's value.
  template <class A>
  typename A::Value resolve() const {
    static_assert(((A::title.part == parts) || ...), "an axis of another part");
    return reading_.template resolve<A>();
  }

  /// Whether that is its value: fewer branches, where the axis is read no further.
  template <class A>
  bool is(typename A::Value value) const {
    static_assert(((A::title.part == parts) || ...), "an axis of another part");
    return reading_.template is<A>(value);
  }

  /// Whether it may be a formula.
  template <class A>
  bool may_be_formula() const {
    static_assert(((A::title.part == parts) || ...), "an axis of another part");
    return reading_.template may_be_formula<A>();
  }

 private:
  R& reading_;
};

}  // namespace cuvier
