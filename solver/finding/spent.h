#pragma once

#include <chrono>

namespace cuvier {

/// Where the time of an inference went, in seconds. What is left of the whole is little things.
struct Spent {
  double choosing = 0;  ///< the next probe: predicting candidates under a committee
  double waiting = 0;   ///< for the oracle
  double pruning = 0;   ///< by an answer
  double proving = 0;   ///< that what is left is one behaviour
};

/// Adds to one of these the time for which it lives.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace cuvier
