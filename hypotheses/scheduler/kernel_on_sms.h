#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "hypotheses/readings/reading.h"
#include "hypotheses/scheduler/sm_rules.h"
#include "hypotheses/scheduler/sm_signature.h"

namespace cuvier {

/// What a kernel finds on SMs of one signature, as far as it was asked for. It is made of the
/// signature and of what holds for the whole device, never of the SM that it was asked for.
template <class Int, class Bool>
struct View {
  bool looked = false;
  bool measured = false;
  bool weighed = false;
  Bool fits{};
  Int config{};
  Int room_key{};
  Int usage{};
  int with_block = kUnnumbered;  ///< the signature once a block of the kernel was placed
  int ahead_of = 0;              ///< of the residents, so many: there it came to be
};

/// What outlives a probe on SMs.
template <class Warps, class Int>
struct SmsAtRest {
  std::vector<Warps> warp_files;  ///< by SM, with their pointers
  /// Of the SMs, the TPCs and the device, where a rule may remember them; empty: there is none.
  std::vector<Int> configs = {};
};

/// A kernel's demands, and what it finds. Kernels that ask for the same are of one kind, which is
/// named by the first of them.
template <class Int, class Bool>
struct OnSms {
  int kind = 0;
  int joined = 0;  ///< kernels that joined the queue before it
  int placed = 0;  ///< its blocks that ever had a place
  Int bytes{};
  Int preferred{};                              ///< configuration
  Int target{};                                 ///< likewise
  std::vector<View<Int, Bool>> views{};         ///< of a kind: by number of the signature
  std::vector<std::vector<Bool>> fits_after{};  ///< likewise: once one more is there, two are, ...
};

/// The cap of a kernel on an SM, if it has one.
template <class R>
std::optional<int> cap_of(const R& reading, int kernel) {
  if constexpr (HasCaps<R>) return reading.cap_on_sm(kernel);
  return std::nullopt;
}

/// The kernels of a probe, as SMs find them.
template <class Int, class Bool>
class KernelsOnSms {
 public:
  /// The probe must outlive it.
  void begin(const Probe& probe) {
    probe_ = &probe;
    all_.clear();
    kinds_.clear();
  }

  /// Sees to kernels that the probe has got since.
  void grow(auto& reading, const Device& device) {
    for (int k = static_cast<int>(all_.size()); k < std::ssize(probe_->kernels); ++k) {
      const auto alike = std::ranges::find_if(kinds_, [&](int kind) {
        return !may_be_formula<Admission>() && !cap_of(reading, k) && !cap_of(reading, kind) &&
               ask_alike(of_probe(kind), of_probe(k));
      });
      OnSms<Int, Bool>& kernel = all_.emplace_back();
      if (alike != kinds_.end()) {
        const OnSms<Int, Bool>& known = all_[*alike];
        kernel = {.kind = known.kind,
                  .bytes = known.bytes,
                  .preferred = known.preferred,
                  .target = known.target};
        continue;
      }
      kinds_.push_back(k);
      kernel.kind = k;
      kernel.bytes = reading.apply(SharedBytes{{device, of_probe(k)}});
      kernel.preferred = reading.apply(PreferredConfig{{device, of_probe(k)}});
      kernel.target = reading.apply(TargetConfig{{device, of_probe(k)}}, kernel.preferred);
    }
  }

  /// A key that is least where an SM has most room for it on which nothing ever was.
  Int idle_room_key(auto& reading, const Device& device, int k) const {
    const OnKernel on(device, of_probe(k));
    const auto config = [&](ConfigScope::Value scope) {
      return reading.apply(ConfigWithBlock{on, scope, {}}, all_[k].preferred, all_[k].target,
                           reading.constant(0));
    };
    const Int of_sm = reading.apply(ConfigOfSm{&device}, config(ConfigScope::sm),
                                    config(ConfigScope::tpc), config(ConfigScope::device));
    return reading.apply(
        LeastRoomKey{device.max_blocks_per_sm},
        reading.apply(RoomForWarps{on}, reading.idle_warps()),
        reading.apply(RoomInShared{on, {}}, reading.idle_shared(), of_sm, all_[k].bytes));
  }

  OnSms<Int, Bool>& operator[](int k) { return all_[k]; }
  const OnSms<Int, Bool>& operator[](int k) const { return all_[k]; }
  const Probe& probe() const { return *probe_; }
  const Kernel& of_probe(int k) const { return probe_->kernels[k]; }

  void forget_views() {
    for (auto& kernel : all_) kernel.views.clear(), kernel.fits_after.clear();
  }

 private:
  const Probe* probe_ = nullptr;
  std::vector<OnSms<Int, Bool>> all_;
  std::vector<int> kinds_;  ///< the first kernel of each
};

}  // namespace cuvier
