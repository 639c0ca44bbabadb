#pragma once

#include <algorithm>
#include <vector>

#include "hypotheses/axis_reader.h"

namespace cuvier {

/// What is written down for each SM (Mark), over a reading R.
template <class R>
class Marks {
 public:
  Marks(R& reading, int sms) : axes_(reading), marks_(sms) {}

  /// The device is idle. Sees whether a formula may say it: else there are none.
  void begin() {
    by_formula_ = may_be_formula<Mark>();
    clear();
  }
  bool by_formula() const { return by_formula_; }
  int of(int sm) const { return marks_[sm]; }
  bool operator==(const Marks& other) const { return marks_ == other.marks_; }

  /// A block of so many warps has come to the SM.
  void placed(int chosen, int warps, const auto& sms) {
    if (!by_formula_) return;
    const Before before(marks_);
    const Mark::Value rule = axes_.template resolve<Mark>();
    for (int sm = 0; sm < std::ssize(marks_); ++sm) {
      write(rule, sm, {.chosen = sm == chosen, .placed_warps = warps}, sms, before);
    }
  }
  /// Blocks have left these SMs, one for each block, and that was all.
  void left(std::vector<int> sms_left, const auto& sms) {
    if (!by_formula_) return;
    if (sms.idle()) return clear();
    std::ranges::sort(sms_left);
    const Before before(marks_);
    const Mark::Value rule = axes_.template resolve<Mark>();
    for (auto at = sms_left.begin(); at != sms_left.end();) {
      const auto end = std::ranges::find_if(at, sms_left.end(), [&](int sm) { return sm != *at; });
      write(rule, *at, {.gone = static_cast<int>(end - at)}, sms, before);
      at = end;
    }
  }

 private:
  struct Before {
    explicit Before(const std::vector<int>& marks)
        : most(std::ranges::max(marks)),
          marked(static_cast<int>(marks.size() - std::ranges::count(marks, 0))) {}
    int most;
    int marked;
  };

  void clear() { std::ranges::fill(marks_, 0); }

  void write(Mark::Value rule, int sm, Mark::Seen<int> seen, const auto& sms,
             const Before& before) {
    seen.warps = sms.resident_warps(sm);
    seen.blocks = sms.resident_blocks(sm);
    seen.mark = marks_[sm];
    seen.sm = sm;
    seen.most = before.most;
    seen.marked = before.marked;
    seen.sms = static_cast<int>(marks_.size());
    marks_[sm] = Mark::after<PlainIntegers>(rule, seen);
  }

  const AxisReader<R, Part::marks> axes_;
  std::vector<int> marks_;
  bool by_formula_ = false;
};

}  // namespace cuvier
