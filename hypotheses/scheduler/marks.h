#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "probes/probe.h"

namespace cuvier {

/// What stands for each SM. A rule `says` it of a Seen<Mark, int>; `sms` say what is resident: on
/// each, by resident_warps(sm) and resident_blocks(sm), and by blocks() on all.
class MarksOfSms {
 public:
  explicit MarksOfSms(int sms) : marks_(sms) {}

  int operator[](int sm) const { return marks_[sm]; }
  /// SMs that have another than 0.
  int marked() const { return marked_; }
  bool operator==(const MarksOfSms&) const = default;

  /// A block has come to the SM `at`, or some have left it.
  void note(Seen<Mark, int> event, const auto& sms, const auto& says) {
    event["most"] = std::ranges::max(marks_);
    event["marked"] = marked_;
    event["sms"] = static_cast<int>(marks_.size());
    event["device_blocks"] = sms.blocks();
    for (int sm = 0; sm < std::ssize(marks_); ++sm) {
      Seen<Mark, int> seen = event;
      const int more = sm == event["at"] ? event["more"] : 0;
      seen["chosen"] = std::max(0, more);
      seen["gone"] = std::max(0, -more);
      seen["warps"] = sms.resident_warps(sm);
      seen["blocks"] = sms.resident_blocks(sm);
      seen["mark"] = marks_[sm];
      seen["sm"] = sm;
      const int before = std::exchange(marks_[sm], says(seen));
      marked_ += int{marks_[sm] != 0} - int{before != 0};
    }
  }
  /// The device is idle.
  void clear() {
    std::ranges::fill(marks_, 0);
    marked_ = 0;
  }

 private:
  std::vector<int> marks_;
  int marked_ = 0;
};

/// A block of a kernel on an SM, as what left it is noted.
struct BlockOnSm {
  int sm = 0;
  int kernel = 0;
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
  /// What admission reads of them.
  void show(int sm, Seen<Admission, int>& seen) const {
    seen["mark"] = marks_[sm];
    seen["marked"] = marks_.marked();
  }
  bool operator==(const Marks& other) const { return marks_ == other.marks_; }

  void placed(const BlockOnSm& block, const auto& kernels, const auto& sms) {
    if (by_formula_) marks_.note(event_of(block, kernels, 1), sms, rule());
  }
  /// These have left together.
  void left(std::vector<BlockOnSm> blocks, const auto& kernels, const auto& sms) {
    if (!by_formula_) return;
    if (sms.idle()) return marks_.clear();
    const auto order = [&](const BlockOnSm& block) {
      return std::pair(block.sm, kernels[block.kernel].joined);
    };
    std::ranges::sort(blocks, {}, order);
    for (auto at = blocks.begin(); at != blocks.end();) {
      const auto end = std::ranges::upper_bound(at, blocks.end(), order(*at), {}, order);
      marks_.note(event_of(*at, kernels, static_cast<int>(at - end)), sms, rule());
      at = end;
    }
  }

 private:
  static Seen<Mark, int> event_of(const BlockOnSm& block, const auto& kernels, int more) {
    const Kernel& kernel = kernels.of_probe(block.kernel);
    Seen<Mark, int> event;
    event["w"] = kernel.warps();
    event["registers"] = kernel.registers;
    event["bytes"] = kernel.shared;
    event["priority"] = kernel.priority;
    event["joined"] = kernels[block.kernel].joined;
    event["at"] = block.sm;
    event["more"] = more;
    return event;
  }
  auto rule() const {
    return [value = axes_.template resolve<Mark>()](const Seen<Mark, int>& seen) {
      return Mark::after<PlainIntegers>(value, seen);
    };
  }

  const AxisReader<R, Part::marks> axes_;
  MarksOfSms marks_;
  bool by_formula_ = false;
};

}  // namespace cuvier
