#pragma once

#include <algorithm>
#include <optional>

#include "solver/cancellation/task.h"

namespace cuvier {

/// How long work will take still, as far as what is done of it tells: nothing where nobody knows
/// how much there is, and nothing as long as it would be a guess. Steps are taken to be as long as
/// those before them.
class TimeLeft {
 public:
  /// In seconds, of what is being done now; `now` is by any clock.
  std::optional<double> at(double now, const Doing& doing) {
    if (doing.all <= 0) return std::nullopt;
    const bool begins = doing.all != all_ || doing.done < done_ / 2;
    if (begins) begun_ = {now, doing.done};
    all_ = doing.all;
    done_ = begins ? doing.done : std::max(done_, doing.done);
    const double took = now - begun_.at;
    const double done = done_ - begun_.done;
    if (took < kShort || done < kFewest * (all_ - begun_.done)) return std::nullopt;
    const double left = took / done * (all_ - done_);
    return left < kShort ? std::nullopt : std::optional(left);
  }

 private:
  static constexpr double kShort = 2;      ///< seconds, of which nobody needs to know
  static constexpr double kFewest = 0.05;  ///< of all, before anything is said

  struct Begun {
    double at = 0;
    double done = 0;
  };
  Begun begun_;
  double all_ = 0;
  double done_ = 0;
};

}  // namespace cuvier
