#include <fmt/format.h>

#include "solver/proof/sm_proofs.h"

namespace cuvier {
namespace {

using File = WarpFile<Terms>;

/// What a block holds of which the warps are dealt so far: any number of rounds, and `warps` of
/// the next round.
Quarters dealt(int warps) {
  Quarters held;
  for (int q = 0; q < kSubpartitions; ++q) held[q] = unknown_int("rounds") + int{q < warps};
  return held;
}

}  // namespace

Quarters unknown_quarters(const std::string& name) {
  Quarters quarters;
  for (int q = 0; q < kSubpartitions; ++q) quarters[q] = unknown_int(fmt::format("{}.{}", name, q));
  return quarters;
}

File any_warps(const std::string& name) {
  File file;
  file.used_slots = unknown_quarters(name + "slots");
  file.used_registers = unknown_quarters(name + "registers");
  file.registers = AddressSpace<Terms>::any(name + "addresses");
  // Without a formula no block ever needs one.
  if (may_be_formula<WarpLayout>()) file.rows = AddressSpace<Terms>::any(name + "rows");
  return file;
}

TermBool falls(const Quarters& x) { return x[0] >= x[1] && x[1] >= x[2] && x[2] >= x[3]; }

WarpPlacement::Dealing<Terms> any_dealing(const std::string& name) {
  return {{unknown_quarters(name + "room"), unknown_quarters(name + "slots"),
           unknown_quarters(name + "held"), unknown_int(name + "per-warp")},
          unknown_subpartition(name + "next")};
}

TermBool fits_warps(Statement& s, const OnKernel& on, const Hypothesis& h, const File& file) {
  const Terms d{h};
  const WarpPlacement::Value placement = h.get<WarpPlacement>();
  if (!WarpPlacement::looks_around(placement)) return evaluate(FitsWarps{on}, d, file);
  const Device& device = on.device();
  const Demand<Terms> k = on.demand<Terms>();
  const int most = device.max_threads_per_block / kThreadsPerWarp;
  for (int warp = 0; warp < WarpPlacement::ways_to_deal(placement, most); ++warp) {
    // Not what the statement assumes something of.
    WarpPlacement::Dealing<Terms> dealing = any_dealing("dealt.");
    const Quarters room = dealing.left.room;
    TermBool is_left = sum<Terms>(room) >= 1;
    for (int q = 0; q < kSubpartitions; ++q) {
      is_left = is_left && room[q] >= 0 && dealing.left.slots[q] >= room[q];
    }
    const TermInt to = dealing.deal(placement, unknown_subpartition("dealt.pointer"), warp, k);
    s.claim(at<Terms>(room, to) >= 1, is_left);
  }
  const TermInt r_w = RegisterGranularity::per_warp(d, k);
  return sum<Terms>(file.capacity(d, device, r_w)) >= k.warps &&
         file.fits_as_a_whole(d, device, k, r_w);
}

int pointers_of(const Device& device, const Hypothesis& h) {
  const Terms d{h};
  const auto rests = [&](auto&& change) {
    File file;
    file.holdings.resize(1);
    change(file);
    return (file.pointer == 0).is_true();
  };
  const Demand<Terms> k = demand<Terms>(kernel_named("kernel"));
  const TermInt last = unknown_subpartition("last");
  const bool always =
      rests([&](File& f) {
        f.take_block(d, device, k, {{}, last});
      }) &&
      rests([&](File& f) { f.release(d, 0); }) &&
      rests([&](File& f) { f.reset_pointer(d, PointerReset::When::blocks_have_left); }) &&
      rests([&](File& f) { f.reset_pointer(d, PointerReset::When::device_idle); }) &&
      rests([&](File& f) { f.adopt(d, k, last); });
  return always ? 1 : kSubpartitions;
}

Statement registers_grow(const Device& device, const Hypothesis& h) {
  Statement s("registers-grow", fmt::format("Under {}, a block leaves no fewer registers of its SM "
                                            "held than there were.",
                                            describe(h)));
  const Demand<Terms> k = demand<Terms>(kernel_named("kernel"));
  s.assume(legal(k, device));
  File file;
  file.used_registers = unknown_quarters("registers");
  const File before = file;
  const File::Arrival arrival{{unknown_quarters("arrived"), unknown_int("arrived.registers")}, 0};
  for (const TermInt& warps : arrival.holding.warps) s.assume(warps >= 0);
  s.assume(arrival.holding.registers_per_warp >= 0);
  file.take_block(Terms{h}, device, k, arrival);
  s.claim(sum<Terms>(file.used_registers) >= sum<Terms>(before.used_registers));
  return s;
}

Statement warps_shrink(const Device& device, const Hypothesis& h) {
  Statement s("warps-shrink", fmt::format("Under {}, what does not fit by its warps and registers "
                                          "does not after another block was placed.",
                                          describe(h)));
  const Kernel waiting = kernel_named("waiting");
  const Kernel placed = kernel_named("placed");
  const Terms d{h};
  const Demand<Terms> demanded = demand<Terms>(waiting);
  s.assume(legal(demanded, device) && legal(demand<Terms>(placed), device));
  const Quotients quotients;
  for (int pointer = 0; pointer < pointers_of(device, h); ++pointer) {
    File before = any_warps("");
    before.pointer = pointer;
    const File::Arrival arrival{{unknown_quarters("arrived"), unknown_int("arrived.registers")},
                                unknown_subpartition("last")};
    for (int q = 0; q < kSubpartitions; ++q) {
      const TermInt& warps = arrival.holding.warps[q];
      const TermInt registers = warps * arrival.holding.registers_per_warp;
      s.assume(warps >= 0 && registers >= 0);
    }
    File after = before;
    after.take_block(d, device, demand<Terms>(placed), arrival);
    after.registers = AddressSpace<Terms>::any("addresses-later");
    // An allocator's free intervals only shrink.
    const TermInt r_w = RegisterGranularity::per_warp(d, demanded);
    for (int q = 0; q < kSubpartitions; ++q) {
      for (const int capacity : {device.registers_per_subpartition(), device.registers_per_sm}) {
        s.assume(after.registers.units(q, capacity, r_w) <=
                 before.registers.units(q, capacity, r_w));
      }
    }
    after.rows = any_warps("later.").rows;
    s.assume(!after.has_row(d, device, demanded) || before.has_row(d, device, demanded));
    const OnKernel on{device, waiting};
    s.claim(fits_warps(s, on, h, before), fits_warps(s, on, h, after));
  }
  s.assume(quotients.grow());
  return s;
}

std::vector<Statement> stays_falling(const Device& device, const Hypothesis& h) {
  const Terms d{h};
  Statement dealing("falling-dealing",
                    fmt::format("Under {}, the warps of a block that comes while the pointer is at "
                                "subpartition 0 go round the subpartitions from there.",
                                describe(h)));
  const Demand<Terms> k = demand<Terms>(kernel_named("kernel"));
  const WarpPlacement::Value placement = h.get<WarpPlacement>();
  const int most = device.max_threads_per_block / kThreadsPerWarp;
  for (int warp = 0; warp < WarpPlacement::ways_to_deal(placement, most); ++warp) {
    const int in_round = warp % kSubpartitions;
    const TermInt to = any_dealing("").deal(placement, 0, warp, k);
    File file;
    File::Arrival arrival{{dealt(in_round), unknown_int("registers")}};
    file.take_warp(d, device, true, to, arrival);
    for (int q = 0; q < kSubpartitions; ++q) {
      dealing.claim(arrival.holding.warps[q] == dealt(in_round + 1)[q]);
    }
  }

  Statement holding("falling-holding",
                    fmt::format("Under {}, what is held falls from each subpartition to the next "
                                "after such a block came; and what is left after it was released "
                                "does, if that of the others does.",
                                describe(h)));
  holding.assume(legal(k, device) && unknown_int("rounds") >= 0);
  File others;
  others.used_slots = unknown_quarters("slots");
  others.used_registers = unknown_quarters("registers");
  holding.assume(falls(others.used_slots) && falls(others.used_registers));
  const TermInt r_w = RegisterGranularity::per_warp(d, k);
  for (int warps = 0; warps < kSubpartitions; ++warps) {
    const File::Arrival arrival{{dealt(warps), r_w}, unknown_subpartition("last")};
    File file = others;
    file.take_block(d, device, k, arrival);
    holding.claim(falls(file.used_slots) && falls(file.used_registers));
    file.release(d, 0);
    for (int q = 0; q < kSubpartitions; ++q) {
      holding.claim(file.used_slots[q] == others.used_slots[q] &&
                    file.used_registers[q] == others.used_registers[q]);
    }
  }
  return {std::move(dealing), std::move(holding)};
}

}  // namespace cuvier
