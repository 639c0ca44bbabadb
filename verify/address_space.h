#pragma once

#include <algorithm>
#include <compare>
#include <vector>

namespace cuvier::verify {

/// Memory of which pieces are allocated: where they lie matters, or only how much they are.
struct AddressSpace {
  struct Piece {
    long begin = 0;
    long length = 0;
    auto operator<=>(const Piece&) const = default;
  };
  /// Which gap a piece gets; `any`: it may be scattered.
  enum class Fit { first, best, any };

  std::vector<Piece> taken = {};  ///< ascending, apart
  long amount = 0;                ///< taken, in all

  /// What is free below `size`.
  std::vector<Piece> gaps(long size, Fit fit) const {
    if (fit == Fit::any) return {{0, size - amount}};
    std::vector<Piece> gaps;
    long from = 0;
    for (const auto& [begin, length] : taken) {
      if (begin > from) gaps.push_back({from, begin - from});
      from = begin + length;
    }
    if (size > from) gaps.push_back({from, size - from});
    return gaps;
  }
  /// How many pieces there is room for.
  long pieces(long size, long length, Fit fit) const {
    long pieces = 0;
    for (const Piece& gap : gaps(size, fit)) pieces += gap.length / length;
    return pieces;
  }
  /// Nothing, where there is no room.
  Piece take(long size, long length, Fit fit) {
    Piece best;
    for (const Piece& gap : gaps(size, fit)) {
      if (gap.length < length) continue;
      if (best.length == 0 || (fit == Fit::best && gap.length < best.length)) best = gap;
    }
    if (best.length == 0) return {};
    best.length = length;
    amount += length;
    if (fit != Fit::any) taken.insert(std::ranges::upper_bound(taken, best), best);
    return best;
  }
  void give_back(const Piece& piece) {
    std::erase(taken, piece);
    amount -= piece.length;
  }
  auto operator<=>(const AddressSpace&) const = default;
};

}  // namespace cuvier::verify
