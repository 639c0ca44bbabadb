#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "solver/proof/sm_proofs.h"

namespace cuvier {
namespace {

using File = WarpFile<Terms>;

/// How the states of one SM under two hypotheses correspond.
struct Relation {
  std::string_view name;
  std::string_view words;
  int rotations;     ///< by 0 up to, not including, so many subpartitions
  int pointers;      ///< values that the warp pointer under the first may have
  bool totals_only;  ///< only sums over the subpartitions are related, pointers are not
  bool falling;      ///< and no subpartition holds less than the next one
};

constexpr Relation kRelations[] = {
    {"pointer-at-0", "they hold the same, and the pointer is at subpartition 0 under both", 1, 1,
     false, false},
    {"falling",
     "they hold the same, on no subpartition less than on the next, and the pointer is at "
     "subpartition 0 under both",
     1, 1, false, true},
    {"equal", "they hold the same, and the pointers are equal", 1, 4, false, false},
    {"rotated",
     "one is the other with its subpartitions and its pointer rotated, by as many as long as "
     "the SM is not idle",
     4, 4, false, false},
    {"totals", "all subpartitions together, they hold the same", 1, 1, true, false},
};

Quarters rotated(const Quarters& x, int by) {
  Quarters y;
  for (int q = 0; q < kSubpartitions; ++q) y[(q + by) % kSubpartitions] = x[q];
  return y;
}

TermBool equal(const Quarters& x, const Quarters& y) {
  TermBool all = true;
  for (int q = 0; q < kSubpartitions; ++q) all = all && x[q] == y[q];
  return all;
}

/// A pair of related states, and which of the relation's cases it is.
struct Pair {
  File a;
  File b;
  int rotation = 0;
};

class RelatedWarps {
 public:
  RelatedWarps(const Relation& relation, const Device& device, const Hypothesis& a,
               const Hypothesis& b, const Asked& asked, DealtAlike& dealt_alike)
      : relation_(relation),
        device_(device),
        a_{a},
        b_{b},
        asked_(asked),
        dealt_alike_(dealt_alike) {
    kernel_.name = "kernel";
    one_space_ = a.get<RegisterPool>() == RegisterPool::per_sm;
  }

  /// For the relation to be kept, and to answer alike. It must outlive what is made.
  Induction induction() const {
    Induction all;
    for (auto step : {&RelatedWarps::answers, &RelatedWarps::dealing, &RelatedWarps::taking_warps,
                      &RelatedWarps::taking_blocks, &RelatedWarps::releasing,
                      &RelatedWarps::settling, &RelatedWarps::becoming_idle}) {
      all.emplace_back([this, step] { return (this->*step)(); });
    }
    if (relation_.falling) {
      for (const Statement& statement : stays_falling(device_, a_.hypothesis)) {
        all.emplace_back([statement] { return statement; });
      }
    }
    return all;
  }

 private:
  Statement statement(std::string_view step, std::string_view what) const {
    return {fmt::format("warps-{}-{}", relation_.name, step),
            fmt::format("Warps and registers of one SM under {} and under {}, related so: {}. {}",
                        describe(a_.hypothesis), describe(b_.hypothesis), relation_.words, what)};
  }

  template <class F>
  void for_each_pair(int residents, F&& f) const {
    for (int rotation = 0; rotation < relation_.rotations; ++rotation) {
      for (int pointer = 0; pointer < relation_.pointers; ++pointer) {
        f(relation_.totals_only ? pair_of_totals(residents) : pair(residents, rotation, pointer));
      }
    }
  }

  /// Any state with so many blocks that may be released, one of which stands for any others.
  Pair pair(int residents, int rotation, int pointer) const {
    Pair p;
    p.rotation = rotation;
    p.a = any_file("", residents);
    p.a.pointer = pointer;
    p.b.used_slots = rotated(p.a.used_slots, rotation);
    p.b.used_registers = rotated(p.a.used_registers, rotation);
    p.b.pointer = (pointer + rotation) % kSubpartitions;
    for (const auto& h : p.a.holdings) {
      p.b.holdings.push_back({rotated(h.warps, rotation), h.registers_per_warp});
    }
    for (int q = 0; q < kSubpartitions; ++q) {
      p.b.registers.contents[space_of_b(q, rotation)] = p.a.registers.contents[q];
    }
    p.b.rows = p.a.rows;
    return p;
  }

  Pair pair_of_totals(int residents) const {
    Pair p{any_file("a.", residents), any_file("b.", residents)};
    p.a.pointer = unknown_subpartition("a.pointer");
    p.b.pointer = unknown_subpartition("b.pointer");
    p.b.used_slots = with_sum_of(p.a.used_slots, p.b.used_slots);
    p.b.used_registers = with_sum_of(p.a.used_registers, p.b.used_registers);
    p.b.registers = p.a.registers;
    p.b.rows = p.a.rows;
    for (int i = 0; i < residents; ++i) {
      const auto& held = p.a.holdings[i];
      p.b.holdings[i] = {with_sum_of(held.warps, p.b.holdings[i].warps), held.registers_per_warp};
    }
    return p;
  }

  /// Quarters with the sum of x and otherwise those of y.
  static Quarters with_sum_of(const Quarters& x, Quarters y) {
    y.back() = sum<Terms>(x) - (y[0] + y[1] + y[2]);
    return y;
  }

  TermBool same_totals(const File& a, const File& b) const {
    TermBool same = sum<Terms>(a.used_slots) == sum<Terms>(b.used_slots) &&
                    sum<Terms>(a.used_registers) == sum<Terms>(b.used_registers);
    for (std::size_t i = 0; i < a.holdings.size(); ++i) {
      same = same && sum<Terms>(a.holdings[i].warps) == sum<Terms>(b.holdings[i].warps) &&
             a.holdings[i].registers_per_warp == b.holdings[i].registers_per_warp;
    }
    return same;
  }

  File any_file(const std::string& name, int residents) const {
    File file = any_warps(name);
    for (int i = 0; i < residents; ++i) {
      file.holdings.push_back({unknown_quarters(fmt::format("{}block{}.warps", name, i)),
                               unknown_int(fmt::format("{}block{}.registers", name, i))});
    }
    return file;
  }

  int space_of_b(int space_of_a, int rotation) const {
    return one_space_ ? space_of_a : (space_of_a + rotation) % kSubpartitions;
  }

  /// That the states are related again.
  TermBool related(const File& a, const File& b, int rotation) const {
    // A state of more than this is one that no relation speaks of: that must not compile.
    [[maybe_unused]] const auto& [slots, held, pointer, holdings, spaces, rows, route] = a;
    TermBool all = AddressSpace<Terms>::same(a.rows, 0, b.rows, 0);
    for (int q = 0; q < kSubpartitions; ++q) {
      all = all && AddressSpace<Terms>::same(a.registers, q, b.registers, space_of_b(q, rotation));
    }
    if (relation_.totals_only) return all && same_totals(a, b);
    all = all && equal(rotated(a.used_slots, rotation), b.used_slots) &&
          equal(rotated(a.used_registers, rotation), b.used_registers) &&
          (a.pointer + rotation) % kSubpartitions == b.pointer;
    for (std::size_t i = 0; i < a.holdings.size(); ++i) {
      all = all && equal(rotated(a.holdings[i].warps, rotation), b.holdings[i].warps) &&
            a.holdings[i].registers_per_warp == b.holdings[i].registers_per_warp;
    }
    if (relation_.pointers == 1) all = all && a.pointer == 0;
    return all;
  }

  Demand<Terms> asked_for() const { return demand<Terms>(kernel_); }
  OnKernel on() const { return {device_, kernel_}; }

  Statement answers() const {
    Statement s = statement("answers", "Then both answer alike what they are asked.");
    s.assume(legal(asked_for(), device_));
    const Quotients quotients;
    for_each_pair(1, [&](const Pair& p) {
      if (relation_.falling) s.assume(falls(p.a.used_slots) && falls(p.a.used_registers));
      s.claim(fits_alike(s, p));
      if (asked_.room)
        s.claim(evaluate(RoomForWarps{on()}, a_, p.a) == evaluate(RoomForWarps{on()}, b_, p.b));
      if (asked_.usage) {
        s.claim(sum<Terms>(p.a.used_registers) == sum<Terms>(p.b.used_registers));
        s.claim(RegisterGranularity::per_warp(a_, asked_for()) ==
                RegisterGranularity::per_warp(b_, asked_for()));
      }
      if (asked_.warp_slots) s.claim(p.rotation == 0 && !relation_.totals_only);
    });
    if (relation_.falling) s.assume(quotients.grow());
    return s;
  }

  static bool looks_around(const Terms& of) {
    return WarpPlacement::looks_around(of.hypothesis.get<WarpPlacement>());
  }

  /// Warps that are dealt alike fit where they find the same.
  TermBool fits_alike(Statement& s, const Pair& p) const {
    if (!looks_around(a_) || !looks_around(b_) || relation_.totals_only) {
      return fits_warps(s, on(), a_.hypothesis, p.a) == fits_warps(s, on(), b_.hypothesis, p.b);
    }
    const Demand<Terms> k = asked_for();
    const TermInt r_a = RegisterGranularity::per_warp(a_, k);
    const TermInt r_b = RegisterGranularity::per_warp(b_, k);
    return r_a == r_b &&
           p.a.fits_as_a_whole(a_, device_, k, r_a) == p.b.fits_as_a_whole(b_, device_, k, r_b) &&
           equal(rotated(p.a.capacity(a_, device_, r_a), p.rotation),
                 p.b.capacity(b_, device_, r_b));
  }

  using Dealing = WarpPlacement::Dealing<Terms>;

  TermInt deal(const Terms& d, Dealing& dealing, int pointer, int warp) const {
    return dealing.deal(d.hypothesis.get<WarpPlacement>(), pointer, warp, asked_for());
  }

  int ways_to_deal() const {
    const int most = device_.max_threads_per_block / kThreadsPerWarp;
    return std::max(WarpPlacement::ways_to_deal(a_.hypothesis.get<WarpPlacement>(), most),
                    WarpPlacement::ways_to_deal(b_.hypothesis.get<WarpPlacement>(), most));
  }

  /// Warps go to corresponding subpartitions, one after another. Of totals, any do.
  Statement dealing() const {
    Statement s = statement("dealing",
                            "The next warp of a block goes to corresponding subpartitions, and "
                            "what each can take afterwards corresponds.");
    const auto [known, added] = dealt_alike_.try_emplace(
        {relation_.name, a_.hypothesis.get<WarpPlacement>(), b_.hypothesis.get<WarpPlacement>()});
    if (added) known->second = dealt_alike();
    s.claim(known->second);
    return s;
  }

  TermBool dealt_alike() const {
    TermBool alike = true;
    for (int r = 0; r < relation_.rotations && !relation_.totals_only; ++r) {
      for (int p = 0; p < relation_.pointers; ++p) {
        for (int warp = 0; warp < ways_to_deal(); ++warp) {
          Dealing a = any_dealing("");
          Dealing b{{rotated(a.left.room, r), rotated(a.left.slots, r), rotated(a.left.held, r),
                     a.left.per_warp},
                    (a.after + r) % kSubpartitions};
          const TermInt to_a = deal(a_, a, p, warp);
          const TermInt to_b = deal(b_, b, (p + r) % kSubpartitions, warp);
          alike = alike && (to_a + r) % kSubpartitions == to_b &&
                  (a.after + r) % kSubpartitions == b.after &&
                  equal(rotated(a.left.room, r), b.left.room) &&
                  equal(rotated(a.left.slots, r), b.left.slots);
          if (!looks_around(a_) && !looks_around(b_)) continue;  // nobody asks for more
          alike = alike && equal(rotated(a.left.held, r), b.left.held);
        }
      }
    }
    return alike;
  }

  /// Blocks on their way in that correspond.
  std::pair<File::Arrival, File::Arrival> arrivals(int rotation) const {
    File::Arrival a{{unknown_quarters("arrived"), unknown_int("arrived.registers")},
                    unknown_subpartition("last")};
    if (relation_.totals_only) {
      return {a,
              {{with_sum_of(a.holding.warps, unknown_quarters("b.arrived")),
                a.holding.registers_per_warp},
               unknown_subpartition("b.last")}};
    }
    return {a,
            {{rotated(a.holding.warps, rotation), a.holding.registers_per_warp},
             (a.last + rotation) % kSubpartitions}};
  }

  TermBool correspond(const File::Arrival& a, const File::Arrival& b, int rotation) const {
    if (relation_.totals_only) {
      return sum<Terms>(a.holding.warps) == sum<Terms>(b.holding.warps);
    }
    return equal(rotated(a.holding.warps, rotation), b.holding.warps) &&
           (a.last + rotation) % kSubpartitions == b.last;
  }

  Statement taking_warps() const {
    Statement s =
        statement("taking-warps", "A warp put on corresponding subpartitions leaves them so.");
    const TermBool exists = unknown_bool("exists");
    const TermInt to_a = unknown_subpartition("subpartition");
    for_each_pair(0, [&](Pair p) {
      auto [a, b] = arrivals(p.rotation);
      p.a.take_warp(a_, device_, exists, to_a, a);
      p.b.take_warp(b_, device_, exists,
                    relation_.totals_only ? unknown_subpartition("b.subpartition")
                                          : (to_a + p.rotation) % kSubpartitions,
                    b);
      s.claim(correspond(a, b, p.rotation));
      for (int q = 0; q < kSubpartitions; ++q) {
        s.claim(
            AddressSpace<Terms>::same(p.a.registers, q, p.b.registers, space_of_b(q, p.rotation)));
      }
    });
    return s;
  }

  Statement taking_blocks() const {
    Statement s = statement("taking-blocks",
                            "A block, its warps on corresponding subpartitions, leaves them so.");
    s.assume(legal(asked_for(), device_));
    for_each_pair(0, [&](Pair p) {
      const auto [a, b] = arrivals(p.rotation);
      p.a.take_block(a_, device_, asked_for(), a);
      p.b.take_block(b_, device_, asked_for(), b);
      s.claim(related(p.a, p.b, p.rotation));
    });
    return s;
  }

  Statement releasing() const {
    Statement s =
        statement("releasing", "A block released on both, others staying, leaves them so.");
    for_each_pair(2, [&](Pair p) {
      p.a.release(a_, 0);
      p.b.release(b_, 0);
      s.claim(related(p.a, p.b, p.rotation));
    });
    return s;
  }

  Statement settling() const {
    Statement s = statement("settling", "Once all have left that leave together, they are so.");
    // Under named values nothing happens then.
    const auto may_return = [](const Terms& of) {
      return is_formula<PointerReset>(of.hypothesis.get<PointerReset>());
    };
    if (!may_return(a_) && !may_return(b_)) return s;
    for_each_pair(1, [&](Pair p) {
      s.assume(sum<Terms>(p.a.used_slots) >= 1);  // an SM that became idle: below
      p.a.reset_pointer(a_, PointerReset::When::blocks_have_left);
      p.b.reset_pointer(b_, PointerReset::When::blocks_have_left);
      s.claim(related(p.a, p.b, p.rotation));
    });
    return s;
  }

  /// An idle SM holds nothing: only its pointer is left, and pointers correspond by a rotation
  /// that may be another one than before.
  Statement becoming_idle() const {
    Statement s = statement("idle", "The SM, and then the device, becoming idle leaves them so.");
    if (relation_.totals_only || relation_.rotations > 1) return s;
    for (int pointer = 0; pointer < relation_.pointers; ++pointer) {
      Pair p = pair(1, 0, pointer);
      p.a.used_slots = p.b.used_slots = p.a.holdings[0].warps;
      p.a.release(a_, 0);
      p.b.release(b_, 0);
      p.a.reset_pointer(a_, PointerReset::When::blocks_have_left);  // before it nothing is asked
      p.b.reset_pointer(b_, PointerReset::When::blocks_have_left);
      s.claim(p.a.pointer == p.b.pointer);
      Pair idle = pair(0, 0, pointer);
      idle.a.reset_pointer(a_, PointerReset::When::device_idle);
      idle.b.reset_pointer(b_, PointerReset::When::device_idle);
      s.claim(idle.a.pointer == idle.b.pointer);
    }
    return s;
  }

  const Relation& relation_;
  const Device& device_;
  Terms a_;
  Terms b_;
  const Asked& asked_;
  DealtAlike& dealt_alike_;
  Kernel kernel_;
  bool one_space_ = false;
};

}  // namespace

bool some_warps_induction(const Device& device, const Hypothesis& a, const Hypothesis& b,
                          const Asked& asked, DealtAlike& known,
                          const std::function<bool(const Induction&)>& hold) {
  return std::ranges::any_of(kRelations, [&](const Relation& relation) {
    return hold(RelatedWarps(relation, device, a, b, asked, known).induction());
  });
}

}  // namespace cuvier
