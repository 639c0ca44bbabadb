#pragma once

#include "verify/left.h"

namespace cuvier::verify {

/// A device that goes by one hypothesis: scheduler.md from beginning to end, one session.
class Interpreter {
 public:
  /// `learned`: the order of the SMs where tie_break=learned. The device must outlive it.
  Interpreter(const Device& device, const Mechanism& mechanism, std::vector<int> learned = {},
              std::shared_ptr<const Opening> opening = {});

  /// What each action of the probe leads to.
  std::vector<Step> run(const Probe& probe);

 private:
  Left left_;
  std::shared_ptr<const Opening> opening_;
};

}  // namespace cuvier::verify
