#pragma once

#include <vector>

#include "hypotheses/prediction.h"

namespace cuvier {

/// Predicts the grids of one kernel, each the first that the device runs. They begin alike
/// (Batches::most_left_that_matter), and of each only what follows is predicted anew.
class Grids {
 public:
  /// Throws Error where the device's facts do not suffice for the hypothesis. The device must
  /// outlive it.
  Grids(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel);
  Grids(const Grids&) = delete;
  Grids& operator=(const Grids&) = delete;

  /// The SM of each block that starts, of a grid of so many: of no fewer than the last time.
  std::vector<int> sms_of(int blocks);

 private:
  /// It need not say where blocks went: the scheduler knows.
  class Silent : public Prediction {
   public:
    using Prediction::Prediction;
    void placed(int, int, int, const Warps&) const {}
  };

  int alike_until_left_;
  Silent prediction_;
  Probe probe_;
  Scheduler<Silent> beginning_;  ///< of any grid that may be asked for yet
};

}  // namespace cuvier
