#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace cuvier {

/// SMs in the order in which they changed. It keeps about as many changes as there are SMs: who
/// fell further behind looks at all of them.
class ChangeLog {
 public:
  explicit ChangeLog(int sms) : sms_(sms), latest_(std::bit_ceil(static_cast<unsigned>(sms))) {}

  void add(int sm) { latest_[slot(count_++)] = sm; }
  void add_all() { count_ += kept() + 1; }
  void clear() { count_ = 0; }

  /// How far somebody is who saw nothing yet, not even how it was before.
  static constexpr std::int64_t kNever = -1;

  /// Calls f for each SM that changed since somebody was so far, and brings them up to now.
  template <class F>
  void catch_up(std::int64_t& seen, F&& f) const {
    if (seen == kNever || count_ - seen > kept()) {
      for (int sm = 0; sm < sms_; ++sm) f(sm);
    } else {
      for (; seen < count_; ++seen) f(latest_[slot(seen)]);
    }
    seen = count_;
  }

 private:
  std::int64_t kept() const { return static_cast<std::int64_t>(latest_.size()); }
  std::size_t slot(std::int64_t change) const {
    return static_cast<std::size_t>(change) & (latest_.size() - 1);
  }

  int sms_;
  std::vector<int> latest_;  ///< a ring
  std::int64_t count_ = 0;
};

}  // namespace cuvier
