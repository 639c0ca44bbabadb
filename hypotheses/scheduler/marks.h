#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "probes/probe.h"

namespace cuvier {

/// What stands for each SM. A rule `says` it of a Mark::Seen<int>; `sms` say what is resident on
/// each, by resident_warps(sm) and resident_blocks(sm).
class MarksOfSms {
 public:
  explicit MarksOfSms(int sms) : marks_(sms) {}

  int operator[](int sm) const { return marks_[sm]; }
  /// SMs that have another than 0.
  int marked() const { return marked_; }
  bool operator==(const MarksOfSms&) const = default;

  /// This block has come to the SM.
  void placed(int chosen, Mark::Seen<int> block, const auto& sms, const auto& says) {
    set_before(block);
    for (int sm = 0; sm < std::ssize(marks_); ++sm) {
      block.chosen = sm == chosen;
      write(sm, block, sms, says);
    }
  }
  /// Blocks have left these SMs, one for each block, and that was all.
  void left(std::vector<int> sms_left, const auto& sms, const auto& says) {
    std::ranges::sort(sms_left);
    Mark::Seen<int> none;
    set_before(none);
    for (auto at = sms_left.begin(); at != sms_left.end();) {
      const auto end = std::ranges::find_if(at, sms_left.end(), [&](int sm) { return sm != *at; });
      none.gone = static_cast<int>(end - at);
      write(*at, none, sms, says);
      at = end;
    }
  }
  /// The device is idle.
  void clear() {
    std::ranges::fill(marks_, 0);
    marked_ = 0;
  }

 private:
  void set_before(Mark::Seen<int>& seen) const {
    seen.most = std::ranges::max(marks_);
    seen.marked = marked_;
    seen.sms = static_cast<int>(marks_.size());
  }

  void write(int sm, Mark::Seen<int> seen, const auto& sms, const auto& says) {
    seen.warps = sms.resident_warps(sm);
    seen.blocks = sms.resident_blocks(sm);
    seen.mark = marks_[sm];
    seen.sm = sm;
    const int before = std::exchange(marks_[sm], says(seen));
    marked_ += int{marks_[sm] != 0} - int{before != 0};
  }

  std::vector<int> marks_;
  int marked_ = 0;
};

/// What a rule of marks sees of a block that has come.
inline Mark::Seen<int> block_that_came(const Kernel& kernel, int joined) {
  return {.placed_warps = kernel.warps(),
          .registers = kernel.registers,
          .bytes = kernel.shared,
          .priority = kernel.priority,
          .joined = joined};
}

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
  /// What admission reads of them.
  void show(int sm, Admission::Held<int>& held) const {
    held.mark = marks_[sm];
    held.marked = marks_.marked();
  }
  bool operator==(const Marks& other) const { return marks_ == other.marks_; }

  void placed(int chosen, const Kernel& kernel, int joined, const auto& sms) {
    if (by_formula_) marks_.placed(chosen, block_that_came(kernel, joined), sms, rule());
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
