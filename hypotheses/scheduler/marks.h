#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hypotheses/axis_reader.h"

namespace cuvier {

/// What stands for each SM. A rule `says` it of a Mark::Seen<int>; `sms` say what is resident on
/// each, by resident_warps(sm) and resident_blocks(sm).
class MarksOfSms {
 public:
  explicit MarksOfSms(int sms) : marks_(sms) {}

  int operator[](int sm) const { return marks_[sm]; }
  bool operator==(const MarksOfSms&) const = default;

  /// A block of so many warps has come to the SM.
  void placed(int chosen, int warps, const auto& sms, const auto& says) {
    const Before before(marks_);
    for (int sm = 0; sm < std::ssize(marks_); ++sm) {
      write(sm, {.chosen = sm == chosen, .placed_warps = warps}, sms, before, says);
    }
  }
  /// Blocks have left these SMs, one for each block, and that was all.
  void left(std::vector<int> sms_left, const auto& sms, const auto& says) {
    std::ranges::sort(sms_left);
    const Before before(marks_);
    for (auto at = sms_left.begin(); at != sms_left.end();) {
      const auto end = std::ranges::find_if(at, sms_left.end(), [&](int sm) { return sm != *at; });
      write(*at, {.gone = static_cast<int>(end - at)}, sms, before, says);
      at = end;
    }
  }
  /// The device is idle.
  void clear() { std::ranges::fill(marks_, 0); }

 private:
  struct Before {
    explicit Before(const std::vector<int>& marks)
        : most(std::ranges::max(marks)),
          marked(static_cast<int>(marks.size() - std::ranges::count(marks, 0))) {}
    int most;
    int marked;
  };

  void write(int sm, Mark::Seen<int> seen, const auto& sms, const Before& before,
             const auto& says) {
    seen.warps = sms.resident_warps(sm);
    seen.blocks = sms.resident_blocks(sm);
    seen.mark = marks_[sm];
    seen.sm = sm;
    seen.most = before.most;
    seen.marked = before.marked;
    seen.sms = static_cast<int>(marks_.size());
    marks_[sm] = says(seen);
  }

  std::vector<int> marks_;
};

/// The same by what the axis says, over a reading R.
template <class R>
class Marks {
 public:
  Marks(R& reading, int sms) : axes_(reading), marks_(sms) {}

  /// The device is idle. Sees whether a formula may say it: else there are none.
  void begin() {
    by_formula_ = may_be_formula<Mark>();
    marks_.clear();
  }
  bool by_formula() const { return by_formula_; }
  int of(int sm) const { return marks_[sm]; }
  bool operator==(const Marks& other) const { return marks_ == other.marks_; }

  void placed(int chosen, int warps, const auto& sms) {
    if (by_formula_) marks_.placed(chosen, warps, sms, rule());
  }
  void left(std::vector<int> sms_left, const auto& sms) {
    if (!by_formula_) return;
    if (sms.idle()) return marks_.clear();
    marks_.left(std::move(sms_left), sms, rule());
  }

 private:
  auto rule() const {
    return [value = axes_.template resolve<Mark>()](const Mark::Seen<int>& seen) {
      return Mark::after<PlainIntegers>(value, seen);
    };
  }

  const AxisReader<R, Part::marks> axes_;
  MarksOfSms marks_;
  bool by_formula_ = false;
};

}  // namespace cuvier
