#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace cuvier {

/// SMs in the order of their latest changes, so that who looks again sees each that changed once.
class ChangeLog {
 public:
  explicit ChangeLog(int sms) : sms_(sms), latest_(sms + 1) {
    for (int sm = 0; sm <= sms; ++sm)
      latest_[sm] = {sm == 0 ? sms : sm - 1, sm == sms ? 0 : sm + 1};
    latest_[sms].at = std::numeric_limits<std::int64_t>::min();
  }

  void add(int sm) {
    Latest& own = latest_[sm];
    own.at = ++count_;
    if (own.next == sms_) return;
    latest_[own.before].next = own.next;
    latest_[own.next].before = own.before;
    own.before = std::exchange(latest_[sms_].before, sm);
    latest_[own.before].next = sm;
    own.next = sms_;
  }
  void add_all() { all_at_ = ++count_; }

  /// How far somebody is who saw nothing yet, not even how it was before.
  static constexpr std::int64_t kNever = -1;

  /// Calls f for each SM that changed since somebody was so far, and brings them up to now.
  template <class F>
  void catch_up(std::int64_t& seen, F&& f) const {
    if (seen < all_at_) {
      for (int sm = 0; sm < sms_; ++sm) f(sm);
    } else {
      for (int sm = latest_[sms_].before; latest_[sm].at > seen; sm = latest_[sm].before) f(sm);
    }
    seen = count_;
  }

 private:
  struct Latest {
    int before;  ///< the SM whose latest change comes before
    int next;
    std::int64_t at = 0;  ///< so many changes came up to then
  };

  int sms_;
  std::vector<Latest> latest_;  ///< by SM, a ring; behind them one that stands for its end
  std::int64_t count_ = 0;
  std::int64_t all_at_ = 0;  ///< the latest change of all at once
};

}  // namespace cuvier
