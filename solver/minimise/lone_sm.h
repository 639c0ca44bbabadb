#pragma once

#include "hypotheses/concrete.h"
#include "hypotheses/sm_rules.h"

namespace cuvier {

/// An SM under one hypothesis while the whole device runs one kernel and no other: every
/// carve-out is as that kernel prefers. Device, hypothesis and kernel must outlive it.
class LoneSm {
 public:
  LoneSm(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel)
      : device_(&device), hypothesis_(&hypothesis), kernel_(&kernel) {
    const Concrete d{hypothesis};
    bytes_ = evaluate(SharedBytes{on()}, d);
    const bool scoped = hypothesis.get<ConfigScope>() != ConfigScope::none;
    preferred_ = evaluate(PreferredConfig{on()}, d);
    config_ = scoped ? preferred_ : device.largest_config();
  }

  bool fits() const {
    return blocks() < device_->max_blocks_per_sm && evaluate(FitsWarps{on()}, domain(), warps_) &&
           evaluate(FitsShared{on(), idle()}, domain(), shared_, config_, preferred_, bytes_);
  }

  /// What a choice that compares keys looks at, the least first: how much a busy SM is used
  /// grows with the number of its blocks, whatever it is measured in.
  int key() const {
    switch (hypothesis_->get<Selection>()) {
      case Selection::most_room:
        return -room();
      case Selection::fewest_warps:
      case Selection::least_used:
      case Selection::fewest_blocks:
        return blocks();
      case Selection::most_warps:
      case Selection::most_used:
        return -blocks();
      case Selection::first_fit:
        return 0;
      case Selection::round_robin:
      case Selection::sticky_round_robin:
      case Selection::next_fit:
      case Selection::paired:
        break;  // compare no keys
    }
    return 0;
  }

  int room() const {
    return std::min({device_->max_blocks_per_sm - blocks(),
                     evaluate(RoomForWarps{on()}, domain(), warps_),
                     evaluate(RoomInShared{on(), idle()}, domain(), shared_, config_, bytes_)});
  }

  void place() {
    warps_ = evaluate(PlaceWarps{on()}, domain(), std::move(warps_));
    shared_ = evaluate(PlaceShared{}, domain(), std::move(shared_), config_, bytes_);
  }

  void release(int position) {
    warps_ = evaluate(ReleaseWarps{position}, domain(), std::move(warps_));
    shared_ = evaluate(ReleaseShared{position}, domain(), std::move(shared_));
  }

 private:
  OnKernel on() const { return {*device_, *kernel_}; }
  Concrete domain() const { return {*hypothesis_}; }
  int blocks() const { return shared_.blocks; }
  IdleDomains idle() const { return {blocks() == 0, false, false}; }

  const Device* device_;
  const Hypothesis* hypothesis_;
  const Kernel* kernel_;
  int bytes_;
  int preferred_;
  int config_;
  WarpFile<Concrete> warps_;
  SharedMemory<Concrete> shared_;
};

}  // namespace cuvier
