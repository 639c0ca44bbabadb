#pragma once

#include <array>
#include <vector>

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/readings/integers.h"

namespace cuvier {

inline constexpr int kSubpartitions = 4;

template <class D>
using PerSubpartition = std::array<typename D::Int, kSubpartitions>;

template <class D>
typename D::Int sum(const PerSubpartition<D>& values) {
  return values[0] + values[1] + values[2] + values[3];
}

/// values[index], for an index that may be symbolic.
template <class D>
typename D::Int at(const PerSubpartition<D>& values, const typename D::Int& index) {
  return ite(index == 0, values[0],
             ite(index == 1, values[1], ite(index == 2, values[2], values[3])));
}

/// What the subpartitions of an SM have for the warps of a block.
template <class D>
struct Subpartitions {
  PerSubpartition<D> room;   ///< warps that each can still take
  PerSubpartition<D> slots;  ///< free warp slots
  PerSubpartition<D> held;   ///< registers that its warps hold
  typename D::Int per_warp;  ///< registers of each of the block's warps
};

/// Which subpartition each warp of a block goes to.
struct WarpPlacement {
  enum Value : int { strict_round_robin, skip_full, fixed_start, least_loaded };
  static constexpr AxisValue values[] = {
      {"strict_round_robin", "warp i goes to subpartition (p + i) mod 4 and nowhere else", "p + i"},
      {"skip_full", "each warp goes to the next subpartition from p on that has room", "onward"},
      {"fixed_start", "warp i goes to subpartition i mod 4 and nowhere else, whatever p is", "i"},
      {"least_loaded", "each warp goes where most warp slots are free", "emptiest"},
  };
  static constexpr FormulaName names[] = {
      {"p", "the warp pointer; it stays at 0 where no formula reads it or `onward`", 0, 3, lasting,
       said_by("pointer_skip", "pointer_reset")},
      {"i", "warps of the block before this one", 0, kMostOfAnSm - 1},
      asked::warps,
      asked::registers,
      asked::bytes,
      {"emptiest", "of those that have room, the one with most free warp slots (ties: the lowest)",
       0, 3},
      {"roomiest", "the one that has room for most warps of the block (ties: the lowest)", 0, 3},
      {"lightest", "the one whose warps hold the fewest registers (ties: the lowest)", 0, 3},
      {"onward",
       "the first that has room, from p on; for the warps that follow, from behind the latest's on",
       0, 3, lasting, said_by("pointer_skip", "pointer_reset")},
  };
  static constexpr int furthest = 1 << 20;
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::number,
      "the warp's subpartition, of which the rest by 4 counts; it goes nowhere else", -furthest,
      furthest};
  static constexpr AxisTitle title{Part::warps, "warp_placement",
                                   "which subpartition each warp goes to"};

  static constexpr bool is_formula(Value v) { return v > least_loaded; }
  /// Whether warps pass full subpartitions over, so that the last one's says where the pointer
  /// goes.
  static bool passes_over(Value v) { return v == skip_full || reads(v, "onward"); }
  /// Whether blocks move the warp pointer.
  static bool moves_pointer(Value v) {
    return v == strict_round_robin || passes_over(v) || reads(v, "p");
  }
  /// Of so many warps in a row each is dealt in its own way, where a block has `most`.
  static int ways_to_deal(Value v, int most) { return reads(v, "i") ? most : kSubpartitions; }
  /// Whether warps go where those before them left something.
  static bool looks_around(Value v) {
    return reads(v, "emptiest") || reads(v, "roomiest") || reads(v, "lightest") || passes_over(v);
  }

  /// Whether the warps of a block, which are `most` or fewer, fit where the pointer is at p.
  template <class C, class D>
  static typename D::Bool fits(const C& d, const Demand<D>& k, int most, const typename D::Int& p,
                               const Subpartitions<D>& at) {
    const typename D::Int& w = k.warps;
    return d.template choose<WarpPlacement>([&](Value v) -> typename D::Bool {
      if (is_formula(v)) return fits_by_formula<D>(v, k, most, p, at);
      if (v == skip_full || v == least_loaded) return sum<D>(at.room) >= w;
      const typename D::Int start = v == fixed_start ? typename D::Int(0) : p;
      typename D::Bool all = true;
      for (int q = 0; q < kSubpartitions; ++q) {
        const typename D::Int offset = (q + kSubpartitions - start) % kSubpartitions;
        all = all && (w - offset + (kSubpartitions - 1)) / kSubpartitions <= at.room[q];
      }
      return all;
    });
  }

  /// The warps of a block, handed out one after another.
  template <class D>
  struct Dealing {
    Subpartitions<D> left;
    typename D::Int after;  ///< the subpartition after the latest warp's; first the pointer

    /// Where warp i of the block goes; p is the pointer before it.
    typename D::Int deal(Value v, const typename D::Int& p, int i, const Demand<D>& k) {
      using Int = typename D::Int;
      Int q = is_formula(v) ? by_formula<D>(v, p, i, k, *this) : (p + i) % kSubpartitions;
      if (v == fixed_start) q = Int(i % kSubpartitions);
      if (v == skip_full) q = first_with_room();
      if (v == least_loaded) q = with_most_slots();
      for (int s = 0; s < kSubpartitions; ++s) {
        left.room[s] = left.room[s] - ite(q == s, Int(1), Int(0));
        left.slots[s] = left.slots[s] - ite(q == s, Int(1), Int(0));
        left.held[s] = left.held[s] + ite(q == s, left.per_warp, Int(0));
      }
      after = (q + 1) % kSubpartitions;
      return q;
    }

    typename D::Int first_with_room() const {
      typename D::Int found = after;
      for (int offset = kSubpartitions - 1; offset >= 0; --offset) {
        const typename D::Int q = (after + offset) % kSubpartitions;
        found = ite(cuvier::at<D>(left.room, q) > 0, q, found);
      }
      return found;
    }

    typename D::Int with_most_slots() const {
      return first_of([&](int q) { return ite(left.room[q] > 0, left.slots[q], Int(-1)); });
    }

    typename D::Int with_most_room() const {
      return first_of([&](int q) { return left.room[q]; });
    }

    typename D::Int with_fewest_registers() const {
      return first_of([&](int q) { return Int(0) - left.held[q]; });
    }

   private:
    using Int = typename D::Int;

    /// The first subpartition of which that is most.
    Int first_of(const auto& number) const {
      Int best = 0;
      Int most = number(0);
      for (int q = 1; q < kSubpartitions; ++q) {
        const typename D::Bool better = number(q) > most;
        best = ite(better, Int(q), best);
        most = ite(better, number(q), most);
      }
      return best;
    }
  };

  /// The warp pointer before a block whose last warp went to that subpartition: the least of 1 to 3
  /// from which it goes there. 0 where it does from none, the pointer stays, or nobody can tell.
  template <class C, class D>
  static typename D::Int pointer_before(const C& d, const Demand<D>& k,
                                        const typename D::Int& last) {
    using Int = typename D::Int;
    return d.template choose<WarpPlacement>([&](Value v) -> Int {
      Int p = 0;
      if (looks_around(v) || !(v == strict_round_robin || reads(v, "p"))) return p;
      const int i = k.max_warps - 1;
      for (int q = kSubpartitions - 1; q > 0; --q) {
        const Int to =
            is_formula(v) ? by_formula<D>(v, q, i, k, {}) : Int((q + i) % kSubpartitions);
        p = ite(to == last, Int(q), p);
      }
      return p;
    });
  }

  /// The subpartition of each warp of a block that fits.
  template <class C, class D>
  static std::vector<typename D::Int> route(const C& d, const Demand<D>& k,
                                            const typename D::Int& p, const Subpartitions<D>& at) {
    return d.template choose<WarpPlacement>([&](Value v) {
      std::vector<typename D::Int> route;
      route.reserve(k.max_warps);
      Dealing<D> dealing{at, p};
      for (int i = 0; i < k.max_warps && possible(i < k.warps); ++i) {
        route.push_back(dealing.deal(v, p, i, k));
      }
      return route;
    });
  }

 private:
  static bool reads(Value v, NameOf<WarpPlacement> name) { return formula_reads(v, name); }

  /// The subpartition of warp i of the block, of which those before it were dealt so.
  template <class D>
  static typename D::Int by_formula(Value v, const typename D::Int& p, int i, const Demand<D>& k,
                                    const Dealing<D>& so_far) {
    using Int = typename D::Int;
    const Int to = number_by_formula<WarpPlacement, D>(
        v, {p, i, k.warps, k.registers, k.shared,
            reads(v, "emptiest") ? so_far.with_most_slots() : Int(0),
            reads(v, "roomiest") ? so_far.with_most_room() : Int(0),
            reads(v, "lightest") ? so_far.with_fewest_registers() : Int(0),
            reads(v, "onward") ? so_far.first_with_room() : Int(0)});
    return (to + furthest) % kSubpartitions;
  }

  /// By each number of warps that the block may have: then a solver finds numbers where a rule says
  /// `4 * i / w`.
  template <class D>
  static typename D::Bool fits_by_formula(Value v, const Demand<D>& k, int most,
                                          const typename D::Int& p, const Subpartitions<D>& at) {
    using Int = typename D::Int;
    typename D::Bool all = true;
    Demand<D> of_so_many = k;
    for (int w = 1; w <= most; ++w) {
      const typename D::Bool has_so_many = k.warps == w;
      if (!possible(has_so_many)) continue;
      of_so_many.warps = w;
      Dealing<D> dealing{at, p};
      PerSubpartition<D> wanted{0, 0, 0, 0};
      for (int i = 0; i < w; ++i) {
        const Int to = dealing.deal(v, p, i, of_so_many);
        for (int q = 0; q < kSubpartitions; ++q) {
          wanted[q] = wanted[q] + ite(to == q, Int(1), Int(0));
        }
      }
      for (int q = 0; q < kSubpartitions; ++q) {
        all = all && (!has_so_many || wanted[q] <= at.room[q]);
      }
    }
    return all;
  }
};

}  // namespace cuvier
