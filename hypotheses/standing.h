#pragma once

#include <vector>

#include "hypotheses/flat_index.h"

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

/// What an SM is like: SMs of one standing on one device answer alike.
template <class Warps, class Shared>
struct Standing {
  Warps warps{};
  Shared shared{};
  CarveOutDomain domain{};
  int resident_warps = 0;
  int tpc_setter = CarveOutDomain::kIdle;  ///< of the domain of its TPC

  bool operator==(const Standing&) const = default;
};

/// Standings by number. Equal ones have one number where a reading's states can be told to be
/// equal at once; each has its own where they cannot.
template <class Warps, class Shared>
class Standings {
 public:
  static constexpr bool kEqualAreOne = requires(const Warps& warps, const Shared& shared) {
    warps.hash() + shared.hash();
  };

  int number(const Standing<Warps, Shared>& standing) {
    if constexpr (kEqualAreOne) {
      std::size_t hash = hash_combine(standing.warps.hash(), standing.domain.blocks);
      hash = hash_combine(hash, standing.domain.setter);
      hash = hash_combine(hash, standing.tpc_setter);
      hash = hash_combine(hash, standing.resident_warps);
      hash = hash_combine(hash, static_cast<int>(standing.shared.hash()));
      const int known = index_.find(hash, [&](int n) { return standings_[n] == standing; });
      if (known >= 0) return known;
      index_.add(hash);
      standings_.push_back(standing);
      return static_cast<int>(standings_.size()) - 1;
    } else {
      return next_++;
    }
  }

  /// Of equal standings that are one.
  const Standing<Warps, Shared>& operator[](int number) const { return standings_[number]; }

  void clear() {
    standings_.clear();
    index_.clear();
    next_ = 0;
  }

 private:
  std::vector<Standing<Warps, Shared>> standings_;
  FlatIndex index_;
  int next_ = 0;
};

}  // namespace cuvier
