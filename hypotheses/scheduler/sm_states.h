#pragma once

#include <utility>
#include <vector>

#include "hypotheses/scheduler/sm_signature.h"

namespace cuvier {

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
