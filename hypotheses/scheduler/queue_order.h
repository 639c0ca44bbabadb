#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/scheduler/kernel_state.h"

namespace cuvier {

/// The order in which the queue is tried, and who is tried behind a kernel that must wait
/// (scheduler.md section 4, priority, queue and cluster_wait), over a reading R (reading.h).
template <class R>
class QueueOrder {
 public:
  using State = DispatchState<typename R::Warps>;

  QueueOrder(R& reading, const Device& device) : axes_(reading), device_(device) {
    if (device.largest_cluster() == 0) return;
    for (const std::vector<int>& gpc : gpcs_of(device)) {
      if (is_one_tpc(device, gpc)) lone_sms_ = std::max<int>(lone_sms_, std::ssize(gpc));
    }
  }

  /// A probe begins, which must outlive it.
  void begin(const Probe& probe) {
    probe_ = &probe;
    is_known_ = false;
    is_fleeting_ = any_reads_fleeting<Priority>();
  }

  /// It may be another with each block.
  bool is_fleeting() const { return is_fleeting_; }
  /// The queue is another, or what may tell where that is fleeting.
  void forget() { is_known_ = false; }
  void forget_if_fleeting() { is_known_ = is_known_ && !is_fleeting_; }

  const std::vector<int>& of(const State& now) {
    if (std::exchange(is_known_, true)) return order_;
    order_ = now.queue;
    if (order_.size() < 2 || is_in_order()) return order_;
    const Priority::Value value = axes_.template resolve<Priority>();
    const auto queued = [&](int k) { return now.queued(*probe_, k, device_.max_resident_kernels); };
    std::ranges::stable_sort(order_, [&](int k, int other) {
      return Priority::goes_first(value, queued(k), queued(other));
    });
    return order_;
  }

  /// On which SMs kernels behind another are tried.
  enum class Open { none, lone_tpcs, all };
  /// While the kernel's next block must wait.
  Open open_behind(int k) {
    const auto& cluster = probe_->kernels[k].cluster;
    if (axes_.template resolve<Queue>() == Queue::skip_ahead) return Open::all;
    if (!cluster) return Open::none;
    switch (axes_.template resolve<ClusterWait>()) {
      case ClusterWait::holds:
        return Open::none;
      case ClusterWait::passed:
        return Open::all;
      case ClusterWait::passed_on_lone_tpcs:
        return *cluster > lone_sms_ ? Open::lone_tpcs : Open::none;
    }
    return Open::none;
  }

  /// Whether the one behind so many in the order is held up where the head waits.
  bool is_held_up(const State& now, int behind) {
    const Queue::Value queue = axes_.template resolve<Queue>();
    const auto asks = [&](int k) {
      const Kernel& kernel = probe_->kernels[k];
      return Queue::Queued{kernel, kernel.blocks - now.kernels[k].places};
    };
    return queue == Queue::fifo ||
           !Queue::tries(queue, asks(order_.front()), asks(order_[behind]), behind);
  }

 private:
  /// Whether the axis leaves the queue in the order in which kernels joined.
  bool is_in_order() const {
    const auto priority = [&](int k) { return probe_->kernels[k].priority; };
    if (!std::ranges::is_sorted(order_, {}, priority)) return false;
    // Where all have one priority, the reverse of a value changes nothing either.
    const bool have_one = priority(order_.front()) == priority(order_.back());
    if (have_one && !may_be_formula<Priority>()) return true;
    return !axes_.template may_be_formula<Priority>();
  }

  const AxisReader<R, Part::queue, Part::clusters> axes_;
  const Device& device_;
  const Probe* probe_ = nullptr;
  int lone_sms_ = 0;  ///< of a GPC that has a single TPC, at most
  std::vector<int> order_;
  bool is_known_ = false;  ///< whether it is that of the queue as it is
  bool is_fleeting_ = false;
};

}  // namespace cuvier
