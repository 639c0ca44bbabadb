#pragma once

#include "hypotheses/hypothesis.h"
#include "hypotheses/readings/value_domain.h"

namespace cuvier {

/// A value domain in which one hypothesis holds; I and B are what its quantities are.
template <class I, class B>
struct UnderHypothesis {
  using Int = I;
  using Bool = B;

  const Hypothesis& hypothesis;

  template <class A, class F>
  auto choose(F&& f) const {
    return f(hypothesis.get<A>());
  }
};

/// The value domain of predictions: integers.
using Concrete = UnderHypothesis<int, bool>;
static_assert(ValueDomain<Concrete>);

}  // namespace cuvier
