#pragma once

#include <memory>
#include <vector>

#include "hypotheses/axes/config_scope.h"
#include "hypotheses/fast/flat_index.h"
#include "hypotheses/scheduler/groups.h"

namespace cuvier {

/// A carve-out domain: how many blocks it holds, and the kernel that configured it.
struct CarveOutDomain {
  static constexpr int kIdle = -1;

  int blocks = 0;
  int setter = kIdle;

  bool operator==(const CarveOutDomain&) const = default;

  bool idle() const { return blocks == 0; }
  void place(int kernel) {
    if (blocks++ == 0) setter = kernel;
  }
  void leave() {
    if (--blocks == 0) setter = kIdle;
  }
};

/// The carve-out domains of TPCs and of the device. Copies share what never changes.
class CarveOutDomains {
 public:
  explicit CarveOutDomains(const Device& device)
      : tpcs_(std::make_shared<Grouping>(grouping_of(device, Hierarchy::tpc))),
        by_tpc_(tpcs_->members.size()) {}
  bool operator==(const CarveOutDomains& other) const {
    return by_tpc_ == other.by_tpc_ && device_ == other.device_;
  }

  const CarveOutDomain& device() const { return device_; }
  const CarveOutDomain& tpc_of(int sm) const { return by_tpc_[tpcs_->of_sm[sm]]; }
  /// The SMs of its TPC.
  const std::vector<int>& mates_of(int sm) const { return tpcs_->members[tpcs_->of_sm[sm]]; }

  void change_around(int sm, auto&& change) {
    change(by_tpc_[tpcs_->of_sm[sm]]);
    change(device_);
  }
  void clear() {
    by_tpc_.assign(by_tpc_.size(), {});
    device_ = {};
  }

 private:
  std::shared_ptr<const Grouping> tpcs_;
  std::vector<CarveOutDomain> by_tpc_;
  CarveOutDomain device_;
};

/// Which carve-out domains around an SM are idle, by ConfigScope.
struct IdleDomains {
  bool sm = true;
  bool tpc = true;
  bool device = true;

  bool of(ConfigScope::Value scope) const {
    switch (scope) {
      case ConfigScope::tpc:
        return tpc;
      case ConfigScope::sm:
        return sm;
      case ConfigScope::device:
        return device;
      case ConfigScope::none:
        return false;
    }
    return false;
  }
  bool operator==(const IdleDomains&) const = default;
  std::size_t hash() const { return sm + 2 * tpc + 4 * device; }
};

/// What an SM is like: SMs of one signature on one device answer alike.
template <class Warps, class Shared>
struct SmSignature {
  Warps warps{};
  Shared shared{};
  CarveOutDomain domain{};
  int resident_warps = 0;
  int tpc_setter = CarveOutDomain::kIdle;  ///< of the domain of its TPC

  IdleDomains idle_around(const CarveOutDomain& device) const {
    return {domain.idle(), tpc_setter == CarveOutDomain::kIdle, device.idle()};
  }
  bool operator==(const SmSignature&) const = default;
};

/// SmSignatures by number. Equal ones have one number where a reading's states can be told to be
/// equal at once; each has its own where they cannot.
template <class Warps, class Shared>
class SmSignatures {
 public:
  static constexpr bool kEqualAreOne = requires(const Warps& warps, const Shared& shared) {
    warps.hash() + shared.hash();
  };

  int number(const SmSignature<Warps, Shared>& signature) {
    if constexpr (kEqualAreOne) {
      const auto setters = static_cast<std::size_t>(signature.domain.setter) << 32;
      std::size_t hash = hash_combine(signature.warps.hash(), signature.shared.hash());
      hash = hash_combine(hash, signature.domain.blocks + (signature.resident_warps << 16));
      hash = hash_combine(hash, setters ^ signature.tpc_setter);
      const int known = index_.find(hash, [&](int n) { return signatures_[n] == signature; });
      if (known >= 0) return known;
      index_.add(hash);
      signatures_.push_back(signature);
      return static_cast<int>(signatures_.size()) - 1;
    } else {
      return next_++;
    }
  }

  /// Of equal signatures that are one.
  const SmSignature<Warps, Shared>& operator[](int number) const { return signatures_[number]; }

  void clear() {
    signatures_.clear();
    index_.clear();
    next_ = 0;
  }

 private:
  std::vector<SmSignature<Warps, Shared>> signatures_;
  FlatIndex index_;
  int next_ = 0;
};

}  // namespace cuvier
