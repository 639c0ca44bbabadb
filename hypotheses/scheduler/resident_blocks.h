#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "hypotheses/axes.h"
#include "probes/probe.h"

namespace cuvier {

/// The blocks on each SM in their order of arrival. Copies are cheap: grids are tried by the
/// thousand, each from a copy of their common beginning.
class ResidentBlocks {
 public:
  explicit ResidentBlocks(int sms) : on_sm_(sms) {}

  bool operator==(const ResidentBlocks&) const = default;

  void add(int sm, int kernel, int block) {
    int index = free_;
    if (index == kNone) {
      index = static_cast<int>(blocks_.size());
      blocks_.emplace_back();
    } else {
      free_ = blocks_[index].next;
    }
    blocks_[index] = {kernel, block, kNone};
    if (kernel >= static_cast<int>(of_kernel_.size())) of_kernel_.resize(kernel + 1);
    ++of_kernel_[kernel];
    OnSm& on = on_sm_[sm];
    (on.last == kNone ? on.first : blocks_[on.last].next) = index;
    on.last = index;
  }

  /// The position that the block had among those on the SM; none if it is not there.
  std::optional<int> remove(int sm, int kernel, int block) {
    OnSm& on = on_sm_[sm];
    int before = kNone;
    int position = 0;
    for (int index = on.first; index != kNone; index = blocks_[index].next, ++position) {
      Block& each = blocks_[index];
      if (each.kernel == kernel && each.block == block) {
        (before == kNone ? on.first : blocks_[before].next) = each.next;
        if (on.last == index) on.last = before;
        each.next = std::exchange(free_, index);
        --of_kernel_[kernel];
        return position;
      }
      before = index;
    }
    return std::nullopt;
  }

  /// The kernel's blocks on all SMs.
  int count(int kernel) const {
    return kernel < static_cast<int>(of_kernel_.size()) ? of_kernel_[kernel] : 0;
  }

  /// The kernel's blocks on the SM.
  int count(int sm, int kernel) const {
    int blocks = 0;
    for_each_on(sm, [&](int of) { blocks += of == kernel; });
    return blocks;
  }

  /// On any of these SMs.
  int count(const std::vector<int>& sms, int kernel) const {
    int blocks = 0;
    for (const int sm : sms) blocks += count(sm, kernel);
    return blocks;
  }

  /// SMs that have blocks of the kernel.
  int sms_of(int kernel) const {
    int sms = 0;
    for (int sm = 0; sm < std::ssize(on_sm_); ++sm) sms += count(sm, kernel) > 0;
    return sms;
  }

  /// Other kernels that have blocks on the SM.
  int kernels_beside(int sm, int kernel) const {
    std::set<int> others;
    for_each_on(sm, [&](int of) { others.insert(of); });
    others.erase(kernel);
    return static_cast<int>(others.size());
  }

  /// What `admission` may read of the blocks on the SM, once so many more of the kernel are there.
  Admission::Held<int> held(int sm, int kernel, int more, const Probe& probe) const {
    const Kernel& own = probe.kernels[kernel];
    int urgent = more > 0 ? own.priority : Admission::urgent_of_none;
    int threads = more * own.threads;
    for_each_on(sm, [&](int of) {
      urgent = std::min(urgent, probe.kernels[of].priority);
      threads += probe.kernels[of].threads;
    });
    return {.sm = sm,
            .own = count(sm, kernel) + more,
            .kernels = kernels_beside(sm, kernel),
            .urgent = urgent,
            .threads = own.threads,
            .held_threads = threads,
            .sms = static_cast<int>(on_sm_.size()),
            .own_sms = any_reads<Admission>(1u << Admission::own_sms)
                           ? sms_of(kernel) + (more > 0 && count(sm, kernel) == 0 ? 1 : 0)
                           : 0};
  }

  /// Takes all off all SMs.
  void clear() {
    blocks_.clear();
    free_ = kNone;
    of_kernel_.clear();
    on_sm_.assign(on_sm_.size(), {});
  }

 private:
  static constexpr int kNone = -1;

  /// Calls `use` with the kernel of each block on the SM.
  void for_each_on(int sm, auto&& use) const {
    for (int index = on_sm_[sm].first; index != kNone; index = blocks_[index].next) {
      use(blocks_[index].kernel);
    }
  }

  struct Block {
    int kernel = 0;
    int block = 0;
    int next = kNone;  ///< in blocks_: who came to the SM after it; of a free place: another one
    bool operator==(const Block&) const = default;
  };
  struct OnSm {
    int first = kNone;
    int last = kNone;
    bool operator==(const OnSm&) const = default;
  };

  std::vector<Block> blocks_;
  int free_ = kNone;  ///< in blocks_: a place that somebody left
  std::vector<OnSm> on_sm_;
  std::vector<int> of_kernel_;  ///< how many on all SMs
};

}  // namespace cuvier
