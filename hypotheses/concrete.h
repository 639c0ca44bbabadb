#pragma once

#include "hypotheses/hypothesis.h"
#include "hypotheses/integers.h"

namespace cuvier {

/// The value domain of predictions: integers, under one hypothesis.
struct Concrete {
  using Int = int;
  using Bool = bool;

  const Hypothesis& hypothesis;

  template <class A, class F>
  auto choose(F&& f) const {
    return f(hypothesis.get<A>());
  }
};

}  // namespace cuvier
