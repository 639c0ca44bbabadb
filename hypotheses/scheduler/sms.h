#pragma once

#include <algorithm>
#include <concepts>
#include <numeric>
#include <utility>
#include <vector>

#include "hypotheses/axis_reader.h"
#include "hypotheses/fast/change_log.h"
#include "hypotheses/scheduler/domain_configs.h"
#include "hypotheses/scheduler/groups.h"
#include "hypotheses/scheduler/kernel_on_sms.h"
#include "hypotheses/scheduler/marks.h"
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
  using AtRest = SmsAtRest<Warps, Int>;

  Sms(R& reading, const Device& device)
      : reading_(reading),
        device_(device),
        sms_(device.sms),
        residents_(device),
        domains_(device),
        configs_(reading),
        marks_(reading, device.sms),
        changes_(device.sms) {
    set_idle({std::vector(device.sms, reading_.idle_warps())});
  }

  /// Begins a probe on an idle device. The probe must outlive it.
  void begin(const Probe& probe) {
    action_begins();
    may_refuse_ = AxisReader<R, Part::admission>(reading_).template may_be_formula<Admission>();
    admission_reads_ = may_refuse_ ? names_read<Admission>() : 0;
    configs_.begin();
    marks_.begin();
    kernels_.begin(probe);
    grow();
    changes_.add_all();
    sms_.forget_numbers();
  }

  /// Gives every state the number that `renumbered` makes of its own.
  void renumber(auto&& renumbered) {
    for (Sm& sm : sms_) {
      sm.signature.warps = renumbered(sm.signature.warps);
      sm.signature.shared = renumbered(sm.signature.shared);
    }
    kernels_.forget_views();
    sms_.forget_numbers();
  }

  void grow() { kernels_.grow(reading_, device_); }  ///< the probe has got more kernels
  void joins(int k, int before) { kernels_[k].joined = before; }  ///< the queue, behind so many

  /// Whether SMs answer here as there from now on, whatever the hypothesis.
  bool goes_on_as(const Sms& other) const {
    return std::ranges::equal(sms_, other.sms_, {}, &Sm::signature, &Sm::signature) &&
           residents_ == other.residents_ && domains_ == other.domains_ && marks_ == other.marks_;
  }

  bool idle() const { return domains_.device().idle(); }
  int blocks() const { return domains_.device().blocks; }
  /// Warps and blocks resident on these SMs, and on this one.
  Int warps_on(const std::vector<int>& sms) const { return sum(sms, &Sms::resident_warps); }
  Int blocks_on(const std::vector<int>& sms) const { return sum(sms, &Sms::resident_blocks); }
  Int warps_on(int sm) const { return reading_.constant(resident_warps(sm)); }
  Int blocks_on(int sm) const { return reading_.constant(resident_blocks(sm)); }
  /// The kernel's blocks on these SMs; those of all kernels.
  int own_on(const std::vector<int>& sms, PlacingKernel k) const {
    return residents_.count(sms, k.kernel_);
  }
  const ResidentBlocks& residents() const { return residents_; }
  int resident_blocks(int sm) const { return sms_[sm].signature.blocks; }
  int resident_warps(int sm) const { return sms_[sm].signature.resident_warps; }
  const Int& target_config(int k) const { return kernels_[k].target; }

  /// Whoever asked looks again: a cap of a kernel is another,
  void caps_changed() { changes_.add_all(); }
  /// or blocks fit on lone TPCs alone, whatever room others have.
  void open_lone_tpcs_only(bool only) {
    if (std::exchange(lone_tpcs_only_, only) != only) changes_.add_all();
  }
  /// The SMs that changed since the probe began: others answer as before.
  const ChangeLog& changes() const { return changes_; }
  PlacingKernel placing(int k) const { return {k, kernels_[k].kind}; }
  Bool fits(int sm, PlacingKernel k, int more = 0) { return fits(sm, k.kernel_, more); }
  int clustered_on(int sm) const { return residents_.clustered({sm}, kernels_.probe()); }
  Int room_key(int sm, PlacingKernel k) { return room_key(sm, k.kernel_); }
  Int idle_room_key(PlacingKernel k) {
    return kernels_.idle_room_key(reading_, device_, k.kernel_);
  }
  Int usage(int sm, PlacingKernel k) { return usage(sm, k.kernel_); }
  Int held_registers(int sm) { return reading_.apply(HeldRegisters{}, sms_[sm].signature.warps); }
  Int held_bytes(int sm) { return reading_.apply(HeldBytes{}, sms_[sm].signature.shared); }
  /// `seen`: what the choice knows of the SM; the rest comes to it here.
  Int key_by_formula(Selection::Value value, PlacingKernel k, Seen<Selection, int>& seen,
                     const OpenKeys<Int>& open) {
    const int sm = seen["sm"];
    see_block(seen, kernels_.of_probe(k.kernel_), device_);
    seen["warps"] = resident_warps(sm);
    seen["blocks"] = resident_blocks(sm);
    residents_.see(seen, formula_of<Selection>(value).names, k.kernel_);
    seen["device_blocks"] = blocks();
    seen["mark"] = marks_.of(sm);
    return reading_.apply(KeyOfSm{value, seen}, open.room, open.held_registers, open.held_bytes);
  }
  /// Whether a block of the kernel fits on the SM (scheduler.md section 5), and is let onto it;
  /// or would be once so many more of them were there.
  Bool fits(int sm, int k, int more = 0) {
    const auto cap = cap_of(reading_, k);
    const bool is_closed = lone_tpcs_only_ && !residents_.is_lone(sm);
    if (is_closed || (cap && residents_.count(sm, k) + more >= *cap)) return reading_.never();
    const Bool fits = fits_after(sm, k, more);
    if (!may_refuse_) return fits;
    if constexpr (std::same_as<Bool, bool>)
      if (!fits) return false;  // the rule need not be asked
    return reading_.apply(Both{}, reading_.apply(admits(sm, k, more)), fits);
  }

  /// A key that is least where there is most room for the kernel (section 6).
  Int room_key(int sm, int k) {
    View& view = looked_at(sm, k);
    if (std::exchange(view.measured, true)) return view.room_key;
    const SmSignature& s = sms_[sm].signature;
    const int free = device_.max_blocks_per_sm - s.blocks;
    if (free <= 0) return view.room_key = reading_.constant(0);
    const IdleDomains idle = s.around(domains_.device()).idle;
    return view.room_key = reading_.apply(
               LeastRoomKey{free}, reading_.apply(RoomForWarps{on(k)}, s.warps),
               reading_.apply(RoomInShared{on(k), idle}, s.shared, view.config, kernels_[k].bytes));
  }

  /// How much of its scarcest resource the SM would have in use with one more block.
  Int usage(int sm, int k) {
    View& view = view_of(sm, k);
    if (std::exchange(view.weighed, true)) return view.usage;
    if (usage_unit_ == 0) usage_unit_ = Usage::common_denominator(device_);
    const SmSignature& s = sms_[sm].signature;
    return view.usage = reading_.apply(Usage{on(k), s.blocks, s.resident_warps, usage_unit_},
                                       s.warps, s.shared, kernels_[k].bytes);
  }

  /// Puts a block on an SM on which it fits; what its warps then hold.
  const Warps& place(int k, int block, int sm) {
    View& view = looked_at(sm, k);
    ++kernels_[k].placed;
    Sm& on = sms_[sm];
    const DomainsAround around = on.signature.around(domains_.device());
    const Int before = on.signature.config;
    sms_.move_on(sm, view.with_block, [&](SmSignature s) {
      view.ahead_of = residents_.of_later_kinds(sm, k, kernels_);
      put(s, k, view, around);
      return s;
    });
    residents_.add(sm, k, block, view.ahead_of);
    if (around.idle.sm || configs_.changed(on.signature.config, before)) on.setter = k;
    change_domains(sm, [&](ConfigScope::Value scope, Domain& domain) {
      if (configs_.may_change(domain)) {
        domain.configure(k, with_block(k, scope, around, domain.config));
      }
      ++domain.blocks;
    });
    marks_.placed({sm, k}, kernels_, *this);
    return on.signature.warps;
  }

  /// Takes a block off the SM; false if it is not there any more.
  bool release(int k, int block, int sm) {
    const std::optional<int> position = residents_.remove(sm, k, block);
    if (!position) return false;
    sms_.move_on_without(sm, *position, [&](SmSignature s) {
      s.warps = reading_.apply(ReleaseWarps{*position}, std::move(s.warps));
      s.shared = reading_.apply(ReleaseShared{*position}, std::move(s.shared));
      s.resident_warps -= kernel(k).warps();
      s.emptied = --s.blocks == 0;
      return s;
    });
    change_domains(sm, [&](ConfigScope::Value, Domain& domain) {
      if (--domain.blocks == 0) domain = {.emptied = true, .config = std::move(domain.config)};
    });
    if (sms_[sm].signature.emptied) emptied_.push_back(sm);
    if (may_be_formula<PointerReset>() || marks_.by_formula()) settling_.push_back({sm, k});
    if (idle()) {
      residents_.clear();
      for (int each = 0; each < device_.sms; ++each)
        change_warps(each, ResetWarps{PointerReset::When::device_idle});
    }
    return true;
  }

  /// Before an action: what became idle in the one before is idle.
  void action_begins() {
    for (const int sm : std::exchange(emptied_, {})) {
      SmSignature& s = sms_.changing(sm);
      if (std::exchange(s.emptied, false)) s.config = configs_.remembered(s.config);
      change_domains(sm, [&](ConfigScope::Value, Domain& d) {
        if (std::exchange(d.emptied, false)) d.config = configs_.remembered(d.config);
      });
    }
  }

  /// After releases: all that leave together have left.
  void settle() {
    for (const auto& [sm, k] : settling_) {
      change_warps(sm, ResetWarps{PointerReset::When::blocks_have_left});
      changes_.add(sm);
    }
    marks_.left(std::exchange(settling_, {}), kernels_, *this);
  }

  /// What an InitialObservation leaves. Where it does not tell the warps' slots, a pointer that
  /// survives is taken to be at its start: nothing can tell, since an idle SM is symmetric.
  void adopt(const auto& opening) {
    for (const auto& [sm, k, slot] : opening.latest()) {
      const Kernel& kernel = opening.probe().kernels[k];
      if (slot) change_warps(sm, AdoptWarps(kernel, *slot % kSubpartitions));
      if (!configs_.by_formula()) continue;
      const OnKernel block(device_, kernel);
      sms_[sm].signature.config = configs_.left_by(block, ConfigScope::sm);
      change_domains(sm, [&](auto scope, Domain& d) { d.config = configs_.left_by(block, scope); });
    }
  }
  AtRest at_rest() const {
    AtRest rest;
    for (const Sm& sm : sms_) rest.warp_files.push_back(sm.signature.warps);
    if (!may_be_formula<ConfigChange>()) return rest;
    for (const Sm& sm : sms_) rest.configs.push_back(sm.signature.config);
    for (const Domain& domain : domains_.all()) rest.configs.push_back(domain.config);
    return rest;
  }

  /// Makes the device idle, whatever it holds, and what outlived that is this.
  void set_idle(const AtRest& rest) {
    configs_.begin();
    auto at = rest.configs.begin();
    const auto next = [&] { return at == rest.configs.end() ? reading_.constant(0) : *at++; };
    for (int sm = 0; sm < device_.sms; ++sm) {
      sms_[sm].signature = {
          .warps = rest.warp_files[sm], .shared = reading_.idle_shared(), .config = next()};
    }
    for (Domain& domain : domains_.all()) domain = {.config = next()};
    for (int sm = 0; sm < device_.sms; ++sm)
      sms_[sm].signature.tpc_config = domains_.tpc_of(sm).config;
    residents_.clear();
    emptied_.clear();
  }

 private:
  friend class Waits<R>;
  using States = SmStates<Warps, typename R::Shared, Int>;
  using Sm = typename States::State;
  using SmSignature = typename States::Signature;
  using Domain = CarveOutDomain<Int>;
  using View = cuvier::View<Int, Bool>;

  Int sum(const std::vector<int>& sms, int (Sms::*of)(int) const) const {
    const auto of_sm = [&](int all, int sm) { return all + (this->*of)(sm); };
    return reading_.constant(std::accumulate(sms.begin(), sms.end(), 0, of_sm));
  }

  const Kernel& kernel(int k) const { return kernels_.of_probe(kernels_[k].kind); }
  OnKernel on(int k) const { return {device_, kernel(k)}; }

  /// Whether it is let onto the SM, once so many more of its blocks were there.
  Admits admits(int sm, int k, int more = 0) const {
    auto seen = residents_.seen_by_admission(sm, k, more, admission_reads_, kernels_.probe());
    seen["joined"] = kernels_[k].joined;
    seen["placed"] = kernels_[k].placed + more;
    marks_.show(sm, seen);
    return {on(k), seen};
  }

  View& view_of(int sm, int k) {
    return grown_to(kernels_[kernels_[k].kind].views, sms_.number_of(sm), {});
  }

  void change_warps(int sm, const auto& rule) {
    Warps& warps = sms_.changing(sm).warps;
    warps = reading_.apply(rule, std::move(warps));
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
    auto& after = grown_to(kernels_[kernels_[k].kind].fits_after, sms_.number_of(sm), {});
    if (std::ssize(after) < more) {
      SmSignature s = sms_[sm].signature;
      Domain device = domains_.device();
      View then = view;
      for (after.clear(); std::ssize(after) < more; after.push_back(then.fits)) {
        const DomainsAround around = s.around(device);
        put(s, k, then, around);
        s.tpc_config = with_block(k, ConfigScope::tpc, around, s.tpc_config);
        s.is_tpc_idle = s.tpc_emptied = false;
        device.configure(k, with_block(k, ConfigScope::device, around, device.config));
        ++device.blocks;
        look(s, device, k, then);
      }
    }
    return after[more - 1];
  }

  void put(SmSignature& s, int k, const View& view, const DomainsAround& around) {
    s.warps = reading_.apply(PlaceWarps{on(k), view.ahead_of}, std::move(s.warps));
    s.shared = reading_.apply(PlaceShared{on(k), view.ahead_of}, std::move(s.shared), view.config,
                              kernels_[k].bytes);
    s.resident_warps += kernel(k).warps();
    s.config = with_block(k, ConfigScope::sm, around, s.config);
    s.emptied = false;
    ++s.blocks;
  }

  void look(const SmSignature& s, const Domain& device, int k, View& view) {
    if (s.blocks >= device_.max_blocks_per_sm) {
      view.fits = reading_.never();
      return;
    }
    const DomainsAround around = s.around(device);
    view.config =
        reading_.apply(ConfigOfSm{&device_}, with_block(k, ConfigScope::sm, around, s.config),
                       with_block(k, ConfigScope::tpc, around, s.tpc_config),
                       with_block(k, ConfigScope::device, around, device.config));
    view.fits = reading_.apply(Both{}, reading_.apply(FitsWarps{on(k)}, s.warps),
                               reading_.apply(FitsShared{on(k), around.idle}, s.shared, view.config,
                                              kernels_[k].preferred, kernels_[k].bytes));
  }

  /// The configuration of a domain once a block of the kernel is there.
  Int with_block(int k, ConfigScope::Value scope, const DomainsAround& around, const Int& current) {
    const auto& of = kernels_[k];
    return configs_.with_block({on(k), scope, around.idle, around.emptied.of(scope)}, of.preferred,
                               of.target, current);
  }

  /// Changes the domains around the SM; what depends on them will be looked at again.
  void change_domains(int sm, auto&& change) {
    const Domain& tpc = domains_.tpc_of(sm);
    const Domain tpc_before = tpc;
    const Domain device_before = domains_.device();
    domains_.change_around(sm, change);
    changes_.add(sm);
    if ((admission_reads_ & kFleetingNames<Admission>) != 0) changes_.add_all();
    if (configs_.changed(tpc, tpc_before)) {
      for (const int mate : domains_.mates_of(sm)) {
        SmSignature& s = sms_.changing(mate);
        s.tpc_config = tpc.config;
        s.is_tpc_idle = tpc.idle();
        s.tpc_emptied = tpc.emptied;
        changes_.add(mate);
      }
    }
    if (configs_.changed(domains_.device(), device_before)) {
      kernels_.forget_views();
      changes_.add_all();
    }
  }

  R& reading_;
  const Device& device_;
  States sms_;
  ResidentBlocks residents_;
  CarveOutDomains<Int> domains_;
  DomainConfigs<R> configs_;
  Marks<R> marks_;
  KernelsOnSms<Int, Bool> kernels_;
  int usage_unit_ = 0;                 ///< 0: nobody asked yet
  bool may_refuse_ = false;            ///< Admission
  std::uint32_t admission_reads_ = 0;  ///< names
  bool lone_tpcs_only_ = false;
  ChangeLog changes_;                ///< since the probe began
  std::vector<BlockOnSm> settling_;  ///< blocks that left just now
  std::vector<int> emptied_;         ///< SMs that became idle in this action
};

}  // namespace cuvier
