#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "hypotheses/fast/change_log.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/scheduler/kernel_on_sms.h"
#include "hypotheses/scheduler/placing_kernel.h"
#include "hypotheses/scheduler/resident_blocks.h"
#include "hypotheses/scheduler/sm_rules.h"
#include "hypotheses/scheduler/sm_signature.h"

namespace cuvier {

template <class R>
class Waits;

/// The SMs of a device, as the scheduler finds them: what each holds and could still take,
/// over a reading R (reading.h).
template <class R>
class Sms {
 public:
  using Int = typename R::Int;
  using Bool = typename R::Bool;
  using Warps = typename R::Warps;

  Sms(R& reading, const Device& device)
      : reading_(reading),
        device_(device),
        sms_(device.sms),
        residents_(device.sms),
        domains_(device),
        usage_unit_(Usage::common_denominator(device)),
        changes_(device.sms) {
    set_idle(std::vector(sms_.size(), reading_.idle_warps()));
  }

  /// Begins a probe on an idle device. The probe must outlive it.
  void begin(const Probe& probe) {
    probe_ = &probe;
    counts_around_ = any_reads_fleeting<Admission>();
    kernels_.clear();
    kinds_.clear();
    grow();
    changes_.clear();
    forget_signatures();
  }

  /// Gives every state the number that `renumbered` makes of its own.
  void renumber(auto&& renumbered) {
    for (Sm& sm : sms_) {
      sm.signature.warps = renumbered(sm.signature.warps);
      sm.signature.shared = renumbered(sm.signature.shared);
    }
    forget_views();
    forget_signatures();
  }

  /// Sees to kernels that the probe has got since.
  void grow() {
    for (int k = static_cast<int>(kernels_.size()); k < std::ssize(probe_->kernels); ++k) {
      const auto alike = std::ranges::find_if(kinds_, [&](int kind) {
        return !may_be_formula<Admission>() && !cap_of(reading_, k) && !cap_of(reading_, kind) &&
               ask_alike(probe_->kernels[kind], probe_->kernels[k]);
      });
      OnSms& kernel = kernels_.emplace_back();
      if (alike != kinds_.end()) {
        kernel = kernels_[*alike].without_views();
        continue;
      }
      kinds_.push_back(k);
      kernel.kind = k;
      kernel.bytes = reading_.apply(SharedBytes{on(k)});
      kernel.preferred = reading_.apply(PreferredConfig{on(k)});
      kernel.as_setter = as_setter(k);
    }
  }

  /// The kernel joined the queue behind so many.
  void joins(int k, int before) { kernels_[k].joined = before; }

  /// Whether SMs answer here as there from now on, whatever the hypothesis.
  bool goes_on_as(const Sms& other) const {
    return std::ranges::equal(sms_, other.sms_, {}, &Sm::signature, &Sm::signature) &&
           residents_ == other.residents_ && domains_ == other.domains_;
  }

  bool idle() const { return domains_.device().idle(); }
  int blocks() const { return domains_.device().blocks; }
  /// Warps and blocks resident on these SMs, and on this one.
  Int warps_on(const std::vector<int>& sms) const { return sum(sms, &Sms::resident_warps); }
  Int blocks_on(const std::vector<int>& sms) const { return sum(sms, &Sms::resident_blocks); }
  Int warps_on(int sm) const { return reading_.constant(resident_warps(sm)); }
  Int blocks_on(int sm) const { return reading_.constant(resident_blocks(sm)); }
  int blocks_on_tpc(int sm) const { return domains_.tpc_of(sm).blocks; }
  int resident_blocks(int sm) const { return sms_[sm].signature.domain.blocks; }
  int resident_warps(int sm) const { return sms_[sm].signature.resident_warps; }
  const Int& preferred_config(int k) const { return kernels_[k].preferred; }

  /// A cap of a kernel is another: whoever asked looks again.
  void caps_changed() { changes_.add_all(); }
  /// The SMs that changed since the probe began: others answer as before.
  const ChangeLog& changes() const { return changes_; }
  // What the choice asks.
  PlacingKernel placing(int k) const { return {k, kernels_[k].kind}; }
  Bool fits(int sm, PlacingKernel k, int more = 0) { return fits(sm, k.kernel_, more); }
  Int room_key(int sm, PlacingKernel k) { return room_key(sm, k.kernel_); }
  Int usage(int sm, PlacingKernel k) { return usage(sm, k.kernel_); }
  Int held_registers(int sm) { return reading_.apply(HeldRegisters{}, sms_[sm].signature.warps); }
  Int held_bytes(int sm) { return reading_.apply(HeldBytes{}, sms_[sm].signature.shared); }
  /// `seen`: what the order and the block's number are, and where the choice stands.
  Int key_by_formula(Selection::Value value, PlacingKernel k, Selection::Seen<int> seen,
                     const OpenKeys<Int>& open) {
    const int sm = seen.sm;
    see_block(seen, probe_->kernels[k.kernel_], device_);
    seen.warps = resident_warps(sm);
    seen.blocks = resident_blocks(sm);
    seen.own = residents_.count(sm, k.kernel_);
    seen.tpc_blocks = blocks_on_tpc(sm);
    if (formula_reads<Selection>(value, Selection::tpc_own)) {
      seen.tpc_own = residents_.count(domains_.mates_of(sm), k.kernel_);
    }
    if (formula_reads<Selection>(value, Selection::device_blocks)) seen.device_blocks = blocks();
    return reading_.apply(KeyOfSm{value, seen}, open.room, open.held_registers, open.held_bytes);
  }
  /// Whether a block of the kernel fits on the SM (scheduler.md section 5), and is let onto it;
  /// or would be once so many more of them were there.
  Bool fits(int sm, int k, int more = 0) {
    if (const auto cap = cap_of(reading_, k); cap && residents_.count(sm, k) + more >= *cap) {
      return reading_.never();
    }
    const Bool fits = fits_after(sm, k, more);
    if (!may_be_formula<Admission>()) return fits;
    return reading_.apply(Both{}, reading_.apply(admits(sm, k, more)), fits);
  }

  /// A key that is least where there is most room for the kernel (section 6).
  Int room_key(int sm, int k) {
    View& view = looked_at(sm, k);
    if (std::exchange(view.measured, true)) return view.room_key;
    const SmSignature& s = sms_[sm].signature;
    const int free = device_.max_blocks_per_sm - s.domain.blocks;
    if (free <= 0) return view.room_key = reading_.constant(0);
    const IdleDomains idle = s.idle_around(domains_.device());
    return view.room_key = reading_.apply(
               LeastRoomKey{free}, reading_.apply(RoomForWarps{on(k)}, s.warps),
               reading_.apply(RoomInShared{on(k), idle}, s.shared, view.config, kernels_[k].bytes));
  }

  /// How much of its scarcest resource the SM would have in use with one more block.
  Int usage(int sm, int k) {
    View& view = view_of(sm, k);
    if (std::exchange(view.weighed, true)) return view.usage;
    const SmSignature& s = sms_[sm].signature;
    return view.usage = reading_.apply(Usage{on(k), s.domain.blocks, s.resident_warps, usage_unit_},
                                       s.warps, s.shared, kernels_[k].bytes);
  }

  /// Puts a block on an SM on which it fits; what its warps then hold.
  const Warps& place(int k, int block, int sm) {
    View& view = looked_at(sm, k);
    residents_.add(sm, k, block);
    if (sms_[sm].signature.domain.idle()) sms_[sm].setter = k;
    move_on(sm, view.with_block, [&](SmSignature s) {
      put(s, k, view.config);
      return s;
    });
    change_domains(sm, [&](CarveOutDomain& domain) { domain.place(k); });
    return sms_[sm].signature.warps;
  }

  /// Takes a block off the SM; false if it is not there any more.
  bool release(int k, int block, int sm) {
    const std::optional<int> position = residents_.remove(sm, k, block);
    if (!position) return false;
    move_on(sm, without_resident(sm, *position), [&](SmSignature s) {
      s.warps = reading_.apply(ReleaseWarps{*position}, std::move(s.warps));
      s.shared = reading_.apply(ReleaseShared{*position}, std::move(s.shared));
      s.resident_warps -= kernel(k).warps();
      s.domain.leave();
      return s;
    });
    change_domains(sm, [](CarveOutDomain& domain) { domain.leave(); });
    if (may_be_formula<PointerReset>()) settling_.push_back(sm);
    if (idle()) {
      residents_.clear();
      for (int each = 0; each < device_.sms; ++each) change_warps(each, IdleDeviceWarps{});
    }
    return true;
  }

  /// After releases: all that leave together have left.
  void settle() {
    for (const int sm : std::exchange(settling_, {})) {
      change_warps(sm, SettleWarps{});
      changes_.add(sm);
    }
  }

  /// What an InitialObservation leaves. Where it does not tell the warps' slots, a pointer that
  /// survives is taken to be at its start: nothing can tell, since an idle SM is symmetric.
  void adopt(const auto& opening) {
    for (const auto& [sm, k, slot] : opening.latest()) {
      if (!slot) continue;
      const Kernel& kernel = opening.probe().kernels[k];
      change_warps(sm, AdoptWarps(kernel, *slot % kSubpartitions));
    }
  }
  // The warp pointers are what outlives a probe here.
  std::vector<Warps> warp_files() const {
    std::vector<Warps> files;
    for (const Sm& sm : sms_) files.push_back(sm.signature.warps);
    return files;
  }

  /// Makes the device idle, whatever it holds, with these warp files.
  void set_idle(const std::vector<Warps>& files) {
    for (int sm = 0; sm < device_.sms; ++sm) {
      sms_[sm].signature = {.warps = files[sm], .shared = reading_.idle_shared()};
    }
    residents_.clear();
    domains_.clear();
  }

 private:
  friend class Waits<R>;

  using Sm = SmState<Warps, typename R::Shared>;
  using SmSignature = cuvier::SmSignature<Warps, typename R::Shared>;
  using Known = SmSignatures<Warps, typename R::Shared>;
  using View = cuvier::View<Int, Bool>;
  using OnSms = cuvier::OnSms<Int, Bool>;

  Int sum(const std::vector<int>& sms, int (Sms::*of)(int) const) const {
    int all = 0;
    for (const int sm : sms) all += (this->*of)(sm);
    return reading_.constant(all);
  }

  int as_setter(int k) const {
    if constexpr (std::is_same_v<Int, int>) {
      return *std::ranges::find_if(
          kinds_, [&](int kind) { return kernels_[kind].preferred == kernels_[k].preferred; });
    }
    return k;
  }
  const Kernel& kernel(int k) const { return probe_->kernels[kernels_[k].kind]; }
  OnKernel on(int k) const { return {device_, kernel(k)}; }

  int number_of(int sm) {
    Sm& s = sms_[sm];
    if (s.number == kUnnumbered) s.number = signatures_.number(s.signature);
    return s.number;
  }

  /// Whether it is let onto the SM, once so many more of its blocks were there.
  Admits admits(int sm, int k, int more = 0) const {
    const auto around = [&](int count) { return counts_around_ ? count + more : 0; };
    Admission::Held<int> held = residents_.held(sm, k, more, *probe_);
    held.blocks = resident_blocks(sm) + more;
    held.warps = resident_warps(sm) + more * kernel(k).warps();
    held.tpc_blocks = around(blocks_on_tpc(sm));
    held.device_blocks = around(blocks());
    held.own_on_device = around(residents_.count(k));
    held.joined = kernels_[k].joined;
    return {on(k), held, probe_->kernels[k].priority};
  }

  View& view_of(int sm, int k) {
    return grown_to(kernels_[kernels_[k].kind].views, number_of(sm), {});
  }

  /// The number of the signature once this resident has left. What leaves is known by the
  /// signature: the warps hold it.
  int& without_resident(int sm, int position) {
    return grown_to(grown_to(without_resident_, number_of(sm), {}), position, kUnnumbered);
  }

  void change_warps(int sm, const auto& rule) {
    Warps& warps = sms_[sm].signature.warps;
    warps = reading_.apply(rule, std::move(warps));
    sms_[sm].number = kUnnumbered;
  }

  /// Brings the SM into the signature that `changed` makes of its own, whose number is kept in
  /// `to`: SMs of one signature go on to the same one.
  void move_on(int sm, int& to, auto&& changed) {
    Sm& s = sms_[sm];
    if constexpr (Known::kEqualAreOne) {
      if (to == kUnnumbered) to = signatures_.number(changed(s.signature));
      s.signature = signatures_[to];
      s.number = to;
    } else {
      s.signature = changed(std::move(s.signature));
      s.number = kUnnumbered;
    }
  }

  void forget_views() {
    for (OnSms& kernel : kernels_) kernel.views.clear(), kernel.fits_after.clear();
  }
  void forget_signatures() {
    signatures_.clear();
    without_resident_.clear();
    for (Sm& sm : sms_) sm.number = kUnnumbered;
  }

  /// With whether the kernel fits, and under which configuration.
  View& looked_at(int sm, int k) {
    View& view = view_of(sm, k);
    if (!std::exchange(view.looked, true)) look(sms_[sm].signature, domains_.device(), k, view);
    return view;
  }

  Bool fits_after(int sm, int k, int more) {
    const View& view = looked_at(sm, k);
    if (more == 0) return view.fits;
    std::vector<Bool>& after = grown_to(kernels_[kernels_[k].kind].fits_after, number_of(sm), {});
    if (std::ssize(after) < more) {
      SmSignature s = sms_[sm].signature;
      CarveOutDomain device = domains_.device();
      View then = view;
      for (after.clear(); std::ssize(after) < more; after.push_back(then.fits)) {
        put(s, k, then.config);
        device.place(k);
        if (s.tpc_setter == CarveOutDomain::kIdle) s.tpc_setter = kernels_[k].as_setter;
        look(s, device, k, then);
      }
    }
    return after[more - 1];
  }

  void put(SmSignature& s, int k, const Int& config) {
    s.warps = reading_.apply(PlaceWarps{on(k)}, std::move(s.warps));
    s.shared = reading_.apply(PlaceShared{}, std::move(s.shared), config, kernels_[k].bytes);
    s.resident_warps += kernel(k).warps();
    s.domain.place(kernels_[k].as_setter);
  }

  void look(const SmSignature& s, const CarveOutDomain& device, int k, View& view) {
    if (s.domain.blocks >= device_.max_blocks_per_sm) {
      view.fits = reading_.never();
      return;
    }
    const OnSms& state = kernels_[k];
    const IdleDomains idle = s.idle_around(device);
    view.config = reading_.apply(CurrentConfig{&device_, idle}, state.preferred,
                                 preferred_by(s.domain.setter, k), preferred_by(s.tpc_setter, k),
                                 preferred_by(device.setter, k));
    view.fits = reading_.apply(Both{}, reading_.apply(FitsWarps{on(k)}, s.warps),
                               reading_.apply(FitsShared{on(k), idle}, s.shared, view.config,
                                              state.preferred, state.bytes));
  }

  const Int& preferred_by(int setter, int k) const {
    return kernels_[setter == CarveOutDomain::kIdle ? k : setter].preferred;
  }

  /// Changes the domains around the SM; what depends on them will be looked at again.
  void change_domains(int sm, auto&& change) {
    const CarveOutDomain& tpc = domains_.tpc_of(sm);
    const int tpc_setter = tpc.setter;
    const int device_setter = domains_.device().setter;
    domains_.change_around(sm, change);
    changes_.add(sm);
    if (counts_around_) changes_.add_all();
    if (tpc.setter != tpc_setter) {
      for (const int mate : domains_.mates_of(sm)) {
        sms_[mate].signature.tpc_setter = tpc.idle() ? tpc.setter : kernels_[tpc.setter].as_setter;
        sms_[mate].number = kUnnumbered;
        changes_.add(mate);
      }
    }
    if (domains_.device().setter != device_setter) {
      forget_views();
      changes_.add_all();
    }
  }

  R& reading_;
  const Device& device_;
  const Probe* probe_ = nullptr;
  std::vector<Sm> sms_;
  ResidentBlocks residents_;
  CarveOutDomains domains_;
  std::vector<OnSms> kernels_;
  std::vector<int> kinds_;  ///< the first kernel of each
  int usage_unit_;
  bool counts_around_ = false;                      ///< for Admission
  Known signatures_;                                ///< since the probe began
  std::vector<std::vector<int>> without_resident_;  ///< by number of the signature, and position
  ChangeLog changes_;                               ///< since the probe began
  std::vector<int> settling_;                       ///< SMs that blocks left just now
};

}  // namespace cuvier
