#pragma once

#include <chrono>
#include <utility>

namespace cuvier {

/// Where the time of an inference went, in seconds. What is left of the whole is little things.
struct Spent {
  double choosing = 0;  ///< the next probe: predicting candidates under a committee
  double waiting = 0;   ///< for the oracle
  double pruning = 0;   ///< by an answer
  double proving = 0;   ///< that what is left is one behaviour
};

/// Keeps account of what time is spent on: of several things at once, on the one begun last.
class Timekeeper {
 public:
  /// As long as it lives, time is spent on this.
  class Doing {
   public:
    Doing(Timekeeper& keeper, double Spent::*what)
        : keeper_(keeper), before_(keeper.switch_to(what)) {}
    Doing(const Doing&) = delete;
    Doing& operator=(const Doing&) = delete;
    ~Doing() { keeper_.switch_to(before_); }

   private:
    Timekeeper& keeper_;
    double Spent::*before_;
  };

  /// As of when something last began or ended.
  const Spent& spent() const { return spent_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// What it was spent on until now.
  double Spent::*switch_to(double Spent::*what) {
    const Clock::time_point now = Clock::now();
    if (what_) spent_.*what_ += std::chrono::duration<double>(now - since_).count();
    since_ = now;
    return std::exchange(what_, what);
  }

  Spent spent_;
  double Spent::*what_ = nullptr;
  Clock::time_point since_;
};

}  // namespace cuvier
