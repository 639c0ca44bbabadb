#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hypotheses/scheduler/scheduler.h"
#include "hypotheses/scheduler/wait.h"

namespace cuvier {

/// Asks a scheduler that is stuck which of its rules refuses each kernel that waits. Where a rule
/// is about several things, it is asked again as if one of them were plenty. The reading answers
/// such questions by R::what_if.
template <class R>
class Waits {
 public:
  explicit Waits(Scheduler<R>& scheduler)
      : scheduler_(scheduler), reading_(scheduler.reading_), device_(scheduler.device_) {}

  std::vector<Wait> all() {
    std::vector<Wait> waits;
    const std::vector<int>& waiting = scheduler_.now_.waiting;
    for (auto k = waiting.begin(); k != waiting.end(); ++k) waits.push_back(of_unqueued(k));
    auto& queue = scheduler_.order_;
    const std::vector<int> order = queue.of(scheduler_.now_);
    for (auto k = order.begin(); k != order.end(); ++k) {
      auto head = std::find_if(order.begin(), k, [&](int j) {
        return queue.open_behind(j) != QueueOrder<R>::Open::all;
      });
      const auto behind = static_cast<int>(k - order.begin());
      if (head != k && !queue.is_held_up(scheduler_.now_, behind)) head = k;
      waits.push_back(head != k ? Wait{*k, scheduler_.left(*k), Wait::For::head_of_queue, *head}
                                : of_tried(*k));
    }
    std::ranges::sort(waits, {},
                      [&](const Wait& wait) { return scheduler_.probe_->launch_of(wait.kernel); });
    return waits;
  }

  /// What keeps a block of the kernel off the SM; empty where it fits.
  Refusal refusal(int sm, int k) {
    Sms<R>& sms = scheduler_.sms_;
    if (sms.fits(sm, k)) return {};
    Refusal refusal{.sms = {sm}, .obstacles = {}};
    auto& obstacles = refusal.obstacles;
    if (sms.resident_blocks(sm) >= device_.max_blocks_per_sm) {
      obstacles.push_back(Obstacle::block_slots);
      return refusal;
    }
    const auto& signature = sms.sms_[sm].signature;
    if (!reading_.what_if(FitsWarps{sms.on(k)}, signature.warps)) {
      add_warps(signature, k, obstacles);
    }
    const IdleDomains idle = signature.around(sms.domains_.device()).idle;
    const auto& own = sms.kernels_[k];
    const int config = sms.looked_at(sm, k).config;
    const auto fits = [&](IdleDomains domains, int bytes) {
      return reading_.what_if(FitsShared{sms.on(k), domains}, signature.shared, bytes,
                              own.preferred, own.bytes);
    };
    if (!fits(idle, config)) {
      // An idle domain refuses nobody: what is left is the space.
      const bool has_space = fits({}, config);
      const bool largest_has = fits({}, device_.largest_config());
      obstacles.push_back(has_space     ? Obstacle::carve_out
                          : largest_has ? Obstacle::small_carve_out
                          : config - reading_.what_if(HeldBytes{}, signature.shared) >= own.bytes
                              ? Obstacle::shared_memory_in_pieces
                              : Obstacle::shared_memory);
      if (has_space || largest_has) {
        refusal.carve_out = config;
        refusal.prefers = own.preferred;
        const auto by = [&](bool is_idle, int setter) { return is_idle ? k : setter; };
        refusal.set_by = reading_.what_if(ConfigOfSm{&device_}, by(idle.sm, sms.sms_[sm].setter),
                                          by(idle.tpc, sms.domains_.tpc_of(sm).setter),
                                          by(idle.device, sms.domains_.device().setter));
      }
    }
    if (!reading_.what_if(sms.admits(sm, k))) obstacles.push_back(Obstacle::rule);
    return refusal;
  }

 private:
  static constexpr int kPlenty = 64;

  /// Not a question of the scheduler's: for words only.
  struct RegistersLeft : OnKernel {  ///< with one more block
    using Axes = AxisList<RegisterGranularity>;
    template <class D>
    typename D::Int operator()(const Declared<D, Axes>& d, const WarpFile<D>& file) const {
      const Demand<D> k = demand<D>();
      return device().registers_per_sm - sum<D>(file.used_registers) -
             k.warps * RegisterGranularity::per_warp(d, k);
    }
  };

  void add_warps(const auto& signature, int k, std::vector<Obstacle>& obstacles) {
    const Kernel& kernel = scheduler_.kernel(k);
    const auto fits_on = [&](const Device& device) {
      return reading_.what_if(FitsWarps{OnKernel(device, kernel)}, signature.warps);
    };
    Device plenty_of_registers = device_;
    plenty_of_registers.registers_per_sm *= kPlenty;
    Device plenty_of_slots = device_;
    plenty_of_slots.max_warps_per_sm *= kPlenty;
    const bool with_registers = fits_on(plenty_of_registers);
    const bool with_slots = fits_on(plenty_of_slots);
    if (!with_registers || with_slots) {
      const bool in_all = signature.resident_warps + kernel.warps() <= device_.max_warps_per_sm;
      obstacles.push_back(in_all ? Obstacle::warp_slots_of_subpartition : Obstacle::warp_slots);
    }
    if (!with_slots || with_registers) {
      const int left = reading_.what_if(RegistersLeft{scheduler_.sms_.on(k)}, signature.warps);
      obstacles.push_back(left >= 0 ? Obstacle::registers_of_subpartition : Obstacle::registers);
    }
  }

  /// Of a kernel that was launched and is not in the queue.
  Wait of_unqueued(std::vector<int>::const_iterator k) {
    Wait wait{*k, scheduler_.left(*k), Wait::For::resident_kernels};
    if (const auto behind = scheduler_.now_.incomplete_before(*scheduler_.probe_, *k)) {
      wait.what = Wait::For::stream;
      wait.behind = *behind;
    } else if (const auto before = scheduler_.held_up_by(k)) {
      wait.what = Wait::For::connection;
      wait.behind = *before;
    }
    return wait;
  }

  /// Of a kernel whose next block is tried, in vain.
  Wait of_tried(int k) {
    Wait wait{k, scheduler_.left(k), Wait::For::room};
    if (!scheduler_.local_memory_ready(k)) {
      wait.what = Wait::For::local_memory;
      wait.local =
          scheduler_.now_.local_memory.in_force(scheduler_.axes_.template resolve<LocalMemory>());
      return wait;
    }
    for (int sm = 0; sm < device_.sms; ++sm) add(wait.sms, refusal(sm, k));
    int refusing = 0;
    for (const Refusal& each : wait.sms) refusing += static_cast<int>(each.sms.size());
    if (refusing < device_.sms) {
      wait.what = scheduler_.kernel(k).cluster ? Wait::For::cluster : Wait::For::turn;
    }
    return wait;
  }

  static void add(std::vector<Refusal>& refusals, Refusal refusal) {
    if (refusal.sms.empty()) return;
    const auto alike = std::ranges::find_if(refusals, [&](const Refusal& each) {
      return each.obstacles == refusal.obstacles && each.carve_out == refusal.carve_out &&
             each.set_by == refusal.set_by;
    });
    if (alike == refusals.end()) {
      refusals.push_back(std::move(refusal));
    } else {
      alike->sms.push_back(refusal.sms[0]);
    }
  }

  Scheduler<R>& scheduler_;
  R& reading_;
  const Device& device_;
};

}  // namespace cuvier
