#pragma once

#include <algorithm>
#include <vector>

#include "hypotheses/sm_rules.h"
#include "hypotheses/topology.h"
#include "probes/opening.h"

namespace cuvier {

/// The kernel whose block is to be placed, as the choice knows it: by nothing but itself.
class Asker {
 public:
  explicit Asker(int kernel) : kernel_(kernel) {}
  bool operator==(const Asker&) const = default;

 private:
  template <class R>
  friend class Sms;
  int kernel_;
};

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
        tpcs_(groups_of(device, Hierarchy::tpc)),
        tpc_of_(device.sms),
        tpc_domains_(tpcs_.size()),
        usage_unit_(Usage::common_denominator(device)),
        changed_(device.sms, 0) {
    for (int tpc = 0; tpc < static_cast<int>(tpcs_.size()); ++tpc) {
      for (const int sm : tpcs_[tpc]) tpc_of_[sm] = tpc;
    }
    for (Sm& sm : sms_) {
      sm.warps = reading_.idle_warps();
      sm.shared = reading_.idle_shared();
    }
  }

  /// Begins a probe on an idle device. The probe must outlive it.
  void begin(const Probe& probe) {
    probe_ = &probe;
    kernels_.assign(probe.kernels.size(), {});
    for (int k = 0; k < static_cast<int>(probe.kernels.size()); ++k) {
      kernels_[k].bytes = reading_.apply(SharedBytes{on(k)});
      kernels_[k].preferred = reading_.apply(PreferredConfig{on(k)});
      kernels_[k].view.assign(device_.sms, {});
    }
    ++clock_;
    changes_.clear();
  }

  bool idle() const { return device_domain_.blocks == 0; }
  /// Warps resident on these SMs, and blocks on this one.
  Int warps_on(const std::vector<int>& sms) const {
    int warps = 0;
    for (const int sm : sms) warps += sms_[sm].resident_warps;
    return reading_.constant(warps);
  }
  Int warps_on(int sm) const { return reading_.constant(sms_[sm].resident_warps); }
  Int blocks_on(int sm) const { return reading_.constant(resident_blocks(sm)); }
  const Int& preferred_config(int k) const { return kernels_[k].preferred; }

  /// The SMs that changed since the probe began, the first first: what the choice asks of others
  /// is answered as before.
  const std::vector<int>& changes() const { return changes_; }

  // What the choice asks.
  Bool fits(int sm, Asker k) { return fits(sm, k.kernel_); }
  Int room_key(int sm, Asker k) { return room_key(sm, k.kernel_); }
  Int usage(int sm, Asker k) { return usage(sm, k.kernel_); }

  /// Whether a block of the kernel fits on the SM (scheduler.md section 5).
  Bool fits(int sm, int k) {
    View& view = kernels_[k].view[sm];
    if (view.fits_at <= changed_[sm]) look(sm, k, view);
    return view.fits;
  }

  /// A key that is least where there is most room for the kernel (section 6).
  Int room_key(int sm, int k) {
    View& view = kernels_[k].view[sm];
    if (view.room_at <= changed_[sm]) measure(sm, k, view);
    return view.room_key;
  }

  /// How much of its scarcest resource the SM would have in use with one more block.
  Int usage(int sm, int k) {
    View& view = kernels_[k].view[sm];
    if (view.usage_at > changed_[sm]) return view.usage;
    view.usage_at = clock_;
    const Sm& s = sms_[sm];
    const int blocks = resident_blocks(sm);
    return view.usage = reading_.apply(Usage{on(k), blocks, s.resident_warps, usage_unit_}, s.warps,
                                       s.shared, kernels_[k].bytes);
  }

  /// Puts a block on an SM on which it fits; what its warps then hold.
  const Warps& place(int k, int block, int sm) {
    fits(sm, k);
    Sm& s = sms_[sm];
    const Int config = kernels_[k].view[sm].config;
    s.warps = reading_.apply(PlaceWarps{on(k)}, std::move(s.warps));
    s.shared = reading_.apply(PlaceShared{}, std::move(s.shared), config, kernels_[k].bytes);
    s.residents.push_back({k, block});
    s.resident_warps += kernel(k).warps();
    touch(sm, [&](Domain& domain) { domain.place(k); });
    return s.warps;
  }

  /// Takes a block off the SM; false if it is not there any more.
  bool release(int k, int block, int sm) {
    Sm& s = sms_[sm];
    const auto found = std::ranges::find_if(
        s.residents, [&](const Resident& r) { return r.kernel == k && r.block == block; });
    if (found == s.residents.end()) return false;
    const int position = static_cast<int>(found - s.residents.begin());
    s.warps = reading_.apply(ReleaseWarps{position}, std::move(s.warps));
    s.shared = reading_.apply(ReleaseShared{position}, std::move(s.shared));
    s.residents.erase(found);
    s.resident_warps -= kernel(k).warps();
    touch(sm, [](Domain& domain) { --domain.blocks; });
    if (idle()) {
      for (Sm& each : sms_) each.warps = reading_.apply(IdleDeviceWarps{}, std::move(each.warps));
      for (int each = 0; each < device_.sms; ++each) note_change(each);
      ++clock_;
    }
    return true;
  }

  /// What the opening leaves. Where it does not tell the warps' slots, a pointer that survives is
  /// taken to be at its start: as long as slots are not shown, nothing can tell, since an idle SM
  /// is symmetric under rotation of its subpartitions.
  void adopt(const Opening& opening) {
    for (const auto& [sm, k, slot] : opening.latest()) {
      if (!slot) continue;
      const int warps = opening.probe().kernels[k].warps();
      sms_[sm].warps =
          reading_.apply(AdoptWarps{warps, *slot % kSubpartitions}, std::move(sms_[sm].warps));
    }
  }

  // The warp pointers are what outlives a probe here.
  std::vector<Warps> warp_files() const {
    std::vector<Warps> files;
    for (const Sm& sm : sms_) files.push_back(sm.warps);
    return files;
  }
  void set_warp_files(const std::vector<Warps>& files) {
    for (int sm = 0; sm < device_.sms; ++sm) sms_[sm].warps = files[sm];
  }

 private:
  struct Resident {
    int kernel;
    int block;
  };

  /// A carve-out domain: how many blocks it holds, and the kernel that configured it.
  struct Domain {
    int blocks = 0;
    int setter = -1;

    void place(int kernel) {
      if (blocks++ == 0) setter = kernel;
    }
  };

  struct Sm {
    Warps warps;
    typename R::Shared shared;
    std::vector<Resident> residents;  ///< in order of arrival
    int resident_warps = 0;
    Domain domain;
  };

  /// What a kernel finds on an SM, as long as nothing there changes.
  struct View {
    int fits_at = 0;  ///< clock at which `fits` was computed
    int room_at = 0;
    Bool fits{};
    Int config{};
    int usage_at = 0;
    Int room_key{};
    Int usage{};
  };

  /// A kernel's demands, and what it finds.
  struct OnSms {
    Int bytes{};
    Int preferred{};
    std::vector<View> view;  ///< by SM
  };

  int resident_blocks(int sm) const { return static_cast<int>(sms_[sm].residents.size()); }

  const Kernel& kernel(int k) const { return probe_->kernels[k]; }
  OnKernel on(int k) const { return {device_, kernel(k)}; }

  /// Brings up to date whether the kernel fits.
  void look(int sm, int k, View& view) {
    view.fits_at = clock_;
    const Sm& s = sms_[sm];
    if (static_cast<int>(s.residents.size()) >= device_.max_blocks_per_sm) {
      view.fits = reading_.never();
      return;
    }
    const OnSms& state = kernels_[k];
    const IdleDomains idle = idle_around(sm);
    view.config =
        reading_.apply(CurrentConfig{&device_, idle}, state.preferred, preferred_by(s.domain, k),
                       preferred_by(tpc_domains_[tpc_of_[sm]], k), preferred_by(device_domain_, k));
    view.fits = reading_.apply(Both{}, reading_.apply(FitsWarps{on(k)}, s.warps),
                               reading_.apply(FitsShared{on(k), idle}, s.shared, view.config,
                                              state.preferred, state.bytes));
  }

  /// Brings up to date the room for the kernel.
  void measure(int sm, int k, View& view) {
    fits(sm, k);
    view.room_at = clock_;
    const Sm& s = sms_[sm];
    const IdleDomains idle = idle_around(sm);
    const int free = device_.max_blocks_per_sm - resident_blocks(sm);
    if (free <= 0) {
      view.room_key = reading_.constant(0);
      return;
    }
    view.room_key = reading_.apply(
        LeastRoomKey{free}, reading_.apply(RoomForWarps{on(k)}, s.warps),
        reading_.apply(RoomInShared{on(k), idle}, s.shared, view.config, kernels_[k].bytes));
  }

  IdleDomains idle_around(int sm) const {
    return {sms_[sm].domain.blocks == 0, tpc_domains_[tpc_of_[sm]].blocks == 0,
            device_domain_.blocks == 0};
  }

  const Int& preferred_by(const Domain& domain, int k) const {
    return kernels_[domain.blocks > 0 ? domain.setter : k].preferred;
  }

  /// Changes the SM's domains and lets what depends on them be computed again.
  void touch(int sm, auto&& change) {
    Domain& tpc = tpc_domains_[tpc_of_[sm]];
    const int tpc_before = tpc.blocks;
    const int device_before = device_domain_.blocks;
    change(sms_[sm].domain);
    change(tpc);
    change(device_domain_);
    if (device_before == 0 || device_domain_.blocks == 0) {
      for (int each = 0; each < device_.sms; ++each) note_change(each);
    } else if (tpc_before == 0 || tpc.blocks == 0) {
      for (const int mate : tpcs_[tpc_of_[sm]]) note_change(mate);
    } else {
      note_change(sm);
    }
    ++clock_;
  }

  void note_change(int sm) {
    changed_[sm] = clock_;
    changes_.push_back(sm);
  }

  R& reading_;
  const Device& device_;
  const Probe* probe_ = nullptr;
  std::vector<Sm> sms_;
  std::vector<std::vector<int>> tpcs_;  ///< the SMs of each
  std::vector<int> tpc_of_;             ///< by SM: its index in tpcs_
  std::vector<Domain> tpc_domains_;
  Domain device_domain_;
  std::vector<OnSms> kernels_;
  int usage_unit_;
  int clock_ = 1;
  std::vector<int> changed_;  ///< by SM: the clock of the latest change that bears on it
  std::vector<int> changes_;  ///< SMs, as they changed since the probe began
};

}  // namespace cuvier
