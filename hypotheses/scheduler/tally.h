#pragma once

#include <utility>
#include <vector>

#include "hypotheses/scheduler/options.h"
#include "hypotheses/scheduler/sm_rules.h"

namespace cuvier {

/// How many of some conditions hold, over a reading R (reading.h). Conditions that R sees to be the
/// same are counted at once: most SMs of a GPC are in one state.
template <class R>
class Tally {
 public:
  using Int = typename R::Int;
  using Bool = typename R::Bool;

  explicit Tally(R& reading) : reading_(reading) {}

  void add(const Bool& condition) {
    if constexpr (ToldApartAtOnce<Bool>) {
      for (auto& [known, times] : kinds_) {
        if (known == condition) {
          ++times;
          return;
        }
      }
    }
    kinds_.emplace_back(condition, 1);
  }

  Int count() {
    Int count = reading_.constant(0);
    for (const auto& [condition, times] : kinds_) {
      count = reading_.apply(AddIf{}, count, condition, reading_.constant(times));
    }
    return count;
  }

  Bool any() {
    Bool any = reading_.never();
    for (const auto& [condition, times] : kinds_) any = reading_.apply(Either{}, any, condition);
    return any;
  }

 private:
  R& reading_;
  std::vector<std::pair<Bool, int>> kinds_;  ///< and how many are the same
};

}  // namespace cuvier
