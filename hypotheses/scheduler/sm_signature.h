#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "hypotheses/fast/flat_index.h"
#include "hypotheses/scheduler/carve_out_domains.h"

namespace cuvier {

/// A number that was not asked for yet.
inline constexpr int kUnnumbered = -1;

/// The element, of a row that may have to become longer.
template <class T>
T& grown_to(std::vector<T>& row, int index, const T& empty) {
  if (index >= static_cast<int>(row.size())) row.resize(index + 1, empty);
  return row[index];
}

/// What an SM is like: SMs of one signature on one device answer alike.
template <class Warps, class Shared, class Int>
struct SmSignature {
  Warps warps{};
  Shared shared{};
  std::int16_t blocks = 0;
  bool is_tpc_idle = true;
  bool emptied = false;  ///< its own domain, in this action
  bool tpc_emptied = false;
  int resident_warps = 0;
  Int config{};      ///< of its own domain
  Int tpc_config{};  ///< of that of its TPC

  DomainsAround around(const CarveOutDomain<Int>& device) const {
    return {{blocks == 0, is_tpc_idle, device.idle()}, {emptied, tpc_emptied, device.emptied}};
  }
  bool operator==(const SmSignature&) const = default;
};

/// SmSignatures by number. Equal ones have one number where a reading's states can be told to be
/// equal at once; each has its own where they cannot.
template <class Warps, class Shared, class Int>
class SmSignatures {
 public:
  static constexpr bool kEqualAreOne = requires(const Warps& warps, const Shared& shared) {
    warps.hash() + shared.hash();
  };

  int number(const SmSignature<Warps, Shared, Int>& signature) {
    if constexpr (kEqualAreOne) {
      const auto& [warps, shared, blocks, idle, emptied, tpc_emptied, resident_warps, config,
                   tpc_config] = signature;
      std::size_t hash = hash_combine(warps.hash(), shared.hash());
      const std::size_t held = (static_cast<std::size_t>(resident_warps) << 16) + blocks;
      hash = hash_combine(hash, 8 * held + 4 * idle + 2 * emptied + tpc_emptied);
      hash = hash_combine(hash, hash_of(config) << 32 ^ hash_of(tpc_config));
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
  const SmSignature<Warps, Shared, Int>& operator[](int number) const {
    return signatures_[number];
  }

  /// The number of that one once the resident at that position has left, kept for it. What leaves
  /// is known by the signature: the warps hold it.
  int& without(int number, int position) {
    return grown_to(grown_to(without_, number, {}), position, kUnnumbered);
  }

  void clear() {
    signatures_.clear();
    without_.clear();
    index_.clear();
    next_ = 0;
  }

 private:
  static std::size_t hash_of(const Int& config) {
    if constexpr (std::is_same_v<Int, int>) {
      return config;
    } else {
      return config.hash();
    }
  }

  std::vector<SmSignature<Warps, Shared, Int>> signatures_;
  FlatIndex index_;
  std::vector<std::vector<int>> without_;  ///< by number, and position
  int next_ = 0;
};

/// An SM as it is.
template <class Warps, class Shared, class Int>
struct SmState {
  SmSignature<Warps, Shared, Int> signature;
  int number = kUnnumbered;  ///< of the signature, once it was asked for
  int setter = -1;           ///< as of a CarveOutDomain, of its own
};

/// All SMs of a device, and the numbers of their signatures.
template <class Warps, class Shared, class Int>
class SmStates {
 public:
  using State = SmState<Warps, Shared, Int>;
  using Signature = SmSignature<Warps, Shared, Int>;

  explicit SmStates(int sms) : sms_(sms) {}

  State& operator[](int sm) { return sms_[sm]; }
  const State& operator[](int sm) const { return sms_[sm]; }
  auto begin() { return sms_.begin(); }
  auto end() { return sms_.end(); }
  auto begin() const { return sms_.begin(); }
  auto end() const { return sms_.end(); }

  int number_of(int sm) {
    State& s = sms_[sm];
    if (s.number == kUnnumbered) s.number = signatures_.number(s.signature);
    return s.number;
  }
  /// The SM's signature, of which something is changed.
  Signature& changing(int sm) {
    sms_[sm].number = kUnnumbered;
    return sms_[sm].signature;
  }
  /// Brings the SM into the signature that `changed` makes of its own, whose number is kept in
  /// `to`: SMs of one signature go on to the same one.
  void move_on(int sm, int& to, auto&& changed) {
    State& s = sms_[sm];
    if constexpr (SmSignatures<Warps, Shared, Int>::kEqualAreOne) {
      if (to == kUnnumbered) to = signatures_.number(changed(s.signature));
      s.signature = signatures_[to];
      s.number = to;
    } else {
      s.signature = changed(std::move(s.signature));
      s.number = kUnnumbered;
    }
  }
  /// Likewise, once the resident at that position has left.
  void move_on_without(int sm, int position, auto&& changed) {
    move_on(sm, signatures_.without(number_of(sm), position), changed);
  }

  void forget_numbers() {
    signatures_.clear();
    for (State& sm : sms_) sm.number = kUnnumbered;
  }

 private:
  std::vector<State> sms_;
  SmSignatures<Warps, Shared, Int> signatures_;
};

}  // namespace cuvier
