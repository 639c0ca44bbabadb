#pragma once

#include <optional>
#include <vector>

#include "hypotheses/assumptions.h"
#include "solver/cancellation/task.h"
#include "solver/space/explanations.h"
#include "uses/fits/fits.h"

namespace cuvier {

/// How many they are, and under how many of them kernels are safe, as far as that is known.
struct SurvivorCount {
  double all = 0;  ///< hypotheses, counted as in HypothesisCount
  double safe = 0;
  int behaviours = 0;  ///< that were looked at
};

/// Whoever explains an inference's recordings, perhaps millions. One after another is looked at,
/// and with it all that place blocks as it does in every order of launches.
class Survivors : public Models {
 public:
  /// Of those within `assumptions` that explain every session. `order` is what tie_break=learned
  /// means, if that is assumed. Throws Stopped where the task is to end, and GaveUp
  /// where a recording tells too little.
  Survivors(const Device& device, const Assumptions& assumptions, std::vector<int> order,
            std::vector<Session> sessions, const Task& task);

  SurvivorCount count() const { return {all_, distinct_in(safe_), behaviours_}; }

  std::optional<Hypothesis> next() override;
  bool one_is_enough() const override { return true; }
  void all_orders_are_safe(const std::vector<Order>& orders,
                           const std::vector<Kernel>& kernels) override;

 private:
  double distinct_in(Ref set) const;
  Ref only(const Hypothesis& hypothesis);
  Ref left_to_chance();

  const Task task_;
  mutable Explanations explanations_;
  std::vector<int> order_;
  Ref open_;  ///< not looked at yet
  Ref safe_;
  double all_ = 0;
  int behaviours_ = 0;
  Hypothesis latest_{};
};

}  // namespace cuvier
