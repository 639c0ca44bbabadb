#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace cuvier {

/// When the next block of each SM ends; the first of them is found in a tree over the SMs.
class EndTimes {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  explicit EndTimes(int sms)
      : leaves_(static_cast<int>(std::bit_ceil(static_cast<unsigned>(sms)))),
        first_(2 * static_cast<std::size_t>(leaves_), kNever) {}

  void set(int sm, double at_ms) {
    int node = leaves_ + sm;
    first_[node] = at_ms;
    for (node /= 2; node > 0; node /= 2) {
      const double first = std::min(first_[2 * node], first_[2 * node + 1]);
      if (first_[node] == first) break;
      first_[node] = first;
    }
  }

  double first() const { return first_[1]; }
  int first_sm() const {
    int node = 1;
    while (node < leaves_) node = 2 * node + (first_[2 * node] != first_[1]);
    return node - leaves_;
  }

 private:
  int leaves_;
  std::vector<double> first_;  ///< beneath each node; node n is above 2n and 2n + 1
};

}  // namespace cuvier
