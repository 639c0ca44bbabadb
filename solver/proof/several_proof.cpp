#include <fmt/format.h>

#include <algorithm>

#include "solver/proof/sm_proofs.h"

namespace cuvier {
namespace {

using File = WarpFile<Terms>;

/// Warps of the kernel that an SM could still take.
struct Left {
  Quarters of;      ///< each subpartition
  TermInt in_pool;  ///< by the registers, where they are one pool; 0 elsewhere
};

/// Blocks of one kernel that come to an SM one after another, and how many do.
class Several {
 public:
  Several(const Device& device, const Hypothesis& h)
      : device_(device),
        h_(h),
        d_{h},
        pointers_(pointers_of(device, h)),
        by_place_(h.get<WarpPlacement>() == WarpPlacement::fixed_start ||
                  h.get<WarpPlacement>() == WarpPlacement::strict_round_robin),
        pooled_(h.get<RegisterPool>() == RegisterPool::per_sm) {}

  std::vector<Statement> statements() const {
    std::vector<Statement> all{placed(), answers(), dealing(), taking(), bounded()};
    if (h_.get<ConfigScope>() != ConfigScope::none) all.push_back(configured());
    return all;
  }

 private:
  Statement statement(std::string_view step, std::string_view what) const {
    Statement s(fmt::format("several-{}", step), fmt::format("Under {}, {}", describe(h_), what));
    s.assume(legal(asked(), device_));
    return s;
  }

  Demand<Terms> asked() const { return demand<Terms>(kernel_); }
  OnKernel on() const { return {device_, kernel_}; }
  TermInt registers_per_warp() const { return RegisterGranularity::per_warp(d_, asked()); }

  Left left(const File& file) const {
    return {file.capacity(d_, device_, registers_per_warp()),
            file.warps_in_registers(d_, device_, registers_per_warp())};
  }

  /// Whether x has no more left than y: where warps go to a subpartition whatever is left there,
  /// on each, otherwise on all together.
  TermBool no_more(const Left& x, const Left& y) const {
    TermBool all = x.in_pool <= y.in_pool;
    if (!by_place_) return all && sum<Terms>(x.of) <= sum<Terms>(y.of);
    for (int q = 0; q < kSubpartitions; ++q) all = all && x.of[q] <= y.of[q];
    return all;
  }

  /// In free intervals, pieces of the size of a warp's registers.
  TermInt pieces(const File& file, int q) const {
    return file.registers.units(
        q, pooled_ ? device_.registers_per_sm : device_.registers_per_subpartition(),
        registers_per_warp());
  }

  /// What another kernel's block leaves.
  Statement placed() const {
    Statement s = statement("placed", "a block leaves no more room for the warps of others.");
    const Quotients quotients;
    const Kernel other = kernel_named("placed");
    s.assume(legal(demand<Terms>(other), device_));
    const File before = any_warps("");
    File after = before;
    const File::Arrival arrival{{unknown_quarters("arrived"), unknown_int("arrived.registers")},
                                unknown_subpartition("last")};
    for (const TermInt& warps : arrival.holding.warps) {
      s.assume(warps >= 0 && warps * arrival.holding.registers_per_warp >= 0);
    }
    after.take_block(d_, device_, demand<Terms>(other), arrival);
    after.registers = AddressSpace<Terms>::any("addresses-later");
    // An allocator's free intervals only shrink.
    for (int q = 0; q < kSubpartitions; ++q) s.assume(pieces(after, q) <= pieces(before, q));
    s.claim(no_more(left(after), left(before)));
    s.assume(quotients.grow());
    return s;
  }

  Statement answers() const {
    Statement s = statement("answers", "where no more room is left, no more fits.");
    File less = any_warps("less.");
    File more = any_warps("more.");
    s.assume(no_more(left(less), left(more)));
    for (int a = 0; a < pointers_; ++a) {
      for (int b = 0; b < pointers_; ++b) {
        less.pointer = a;
        more.pointer = b;
        s.claim(fits_warps(s, on(), h_, more), fits_warps(s, on(), h_, less));
      }
    }
    return s;
  }

  /// Warps go where room is left; where that is as many as fit on all together, to any of these.
  Statement dealing() const {
    Statement s =
        statement("dealing", "a warp of a block that fits goes where room is left for it.");
    const auto deal = [&](const std::string& name, Quarters room, int pointer, int warp) {
      WarpPlacement::Dealing<Terms> cards = any_dealing(name);
      cards.left.room = std::move(room);
      for (int q = 0; q < kSubpartitions; ++q) s.assume(cards.left.slots[q] >= cards.left.room[q]);
      return cards.deal(h_.get<WarpPlacement>(), pointer, warp, asked());
    };
    const Quarters at_first = unknown_quarters("room");
    const TermInt rounds = unknown_int("rounds");
    s.assume(rounds >= 0);
    for (int pointer = 0; pointer < pointers_; ++pointer) {
      for (int warp = 0; warp < kSubpartitions; ++warp) {
        Quarters room = at_first;
        TermBool given = sum<Terms>(room) >= 1;
        for (const TermInt& warps : room) given = given && warps >= 0;
        if (by_place_) {
          given = rounds * kSubpartitions + warp < asked().warps &&
                  WarpPlacement::fits(d_, asked(), asked().max_warps, TermInt(pointer),
                                      Subpartitions<Terms>{at_first, {}, {}, 0});
          for (int q = 0; q < kSubpartitions; ++q) room[q] = room[q] - rounds - int{q < warp};
        }
        const TermInt to = deal("", room, pointer, warp);
        s.claim(at<Terms>(room, to) >= 1, given);
        if (by_place_) s.claim(deal("other.", unknown_quarters("other"), pointer, warp) == to);
      }
    }
    return s;
  }

  Statement taking() const {
    Statement s = statement("taking", "a warp of the kernel takes the place of one, and no other.");
    const Quotients quotients;
    const File::Arrival so_far{{unknown_quarters("arrived"), registers_per_warp()},
                               unknown_subpartition("last")};
    for (int q = 0; q < kSubpartitions; ++q) {
      File before = any_warps("");
      File after = before;
      File::Arrival arrival = so_far;
      after.take_warp(d_, device_, true, q, arrival);
      before.take_block(d_, device_, asked(), so_far);
      after.take_block(d_, device_, asked(), arrival);
      if (h_.get<RegisterLayout>() == RegisterLayout::contiguous) {
        // A piece that an allocator puts into a free interval leaves one less.
        const TermInt was = pieces(before, pooled_ ? 0 : q);
        s.assume(was < 1 || pieces(after, pooled_ ? 0 : q) + 1 == was);
      }
      const Left was = left(before);
      const Left is = left(after);
      const TermBool given = was.of[q] >= 1;
      for (int other = 0; other < kSubpartitions; ++other) {
        s.claim(is.of[other] + int{other == q} == was.of[other], given);
      }
      if (pooled_) s.claim(is.in_pool + 1 == was.in_pool, was.in_pool >= 1);
    }
    s.assume(quotients.step());
    return s;
  }

  Statement bounded() const {
    Statement s = statement("bounded",
                            "a block that fits finds room for each of its warps, and "
                            "nowhere is more left than on an idle SM.");
    const Quotients quotients;
    const File file = any_warps("");
    const Left here = left(file);
    const TermBool fits = fits_warps(s, on(), h_, file);
    s.claim(sum<Terms>(here.of) >= asked().warps, fits);
    if (pooled_) s.claim(here.in_pool >= asked().warps, fits);
    for (int q = 0; q < kSubpartitions; ++q) {
      s.assume(file.used_slots[q] >= 0 && file.used_registers[q] >= 0);
      s.assume(pieces(file, q) <= pieces(File{}, q));
      s.claim(here.of[q] <= left(File{}).of[q]);
    }
    s.claim(here.in_pool <= left(File{}).in_pool);
    s.assume(quotients.grow());
    return s;
  }

  /// A domain that another kernel configured may have more bytes than this one would give it. If no
  /// second block of the other fits there, it makes no pair.
  Statement configured() const {
    Statement s = statement("configured",
                            "shared memory configured for a kernel takes as many of its blocks as "
                            "if another kernel had configured it, or as the SM has warps and "
                            "registers for; if two blocks of the other fit beside each other.");
    const Kernel other = kernel_named("placed");
    s.assume(legal(demand<Terms>(other), device_));
    const TermInt others_bytes = evaluate(SharedBytes{{device_, other}}, d_);
    const TermInt others = evaluate(TargetConfig{{device_, other}}, d_,
                                    evaluate(PreferredConfig{{device_, other}}, d_));
    const TermBool is_pair = others_bytes == 0 || others_bytes * 2 <= others;
    const TermInt bytes = evaluate(SharedBytes{on()}, d_);
    const TermInt preferred = evaluate(PreferredConfig{on()}, d_);
    const TermInt target = evaluate(TargetConfig{on()}, d_, preferred);
    const Left idle = left(File{});
    const IdleDomains busy{false, false, false};
    const int most = std::min(device_.largest_cluster(), device_.max_blocks_per_sm);
    for (int blocks = 2; blocks <= most; ++blocks) {
      // No configuration is larger than the largest: told here, since Z3 does not see it by itself.
      TermBool given = is_pair && bytes * blocks <= others &&
                       bytes * blocks <= device_.largest_config() &&
                       asked().warps * blocks <= sum<Terms>(idle.of);
      if (pooled_) given = given && asked().warps * blocks <= idle.in_pool;
      s.claim(bytes * blocks <= target, given);
      s.claim(evaluate(FitsShared{on(), busy}, d_, SharedMemory<Terms>{}, target, preferred, bytes),
              given);
    }
    return s;
  }

  const Device& device_;
  const Hypothesis& h_;
  const Terms d_;
  const int pointers_;   ///< that there may be
  const bool by_place_;  ///< warp i goes to a subpartition whatever is left
  const bool pooled_;    ///< registers are one pool
  const Kernel kernel_ = kernel_named("waiting");
};

}  // namespace

std::vector<Statement> several_shrink(const Device& device, const Hypothesis& h) {
  return Several(device, h).statements();
}

}  // namespace cuvier
