#include <fmt/format.h>

#include <string_view>

#include "solver/proof/sm_proofs.h"

namespace cuvier {
namespace {

using File = WarpFile<Terms>;
using Shared = SharedMemory<Terms>;

constexpr IdleDomains kIdleSm{true, false, false};
constexpr IdleDomains kBusySm{false, false, false};

/// A block of a kernel, and the configuration that an idle SM takes for it.
struct Block {
  Block(const char* name, const Device& device, const Hypothesis& h) : device(device), d{h} {
    kernel.name = name;
    preferred = evaluate(PreferredConfig{on()}, d);
    target = evaluate(TargetConfig{on()}, d, preferred);
    bytes = evaluate(SharedBytes{on()}, d);
  }

  OnKernel on() const { return {device, kernel}; }
  TermBool is_legal() const { return legal(demand<Terms>(kernel), device); }
  TermBool fits(const IdleDomains& idle, const Shared& shared, const TermInt& config) const {
    return evaluate(FitsShared{on(), idle}, d, shared, config, preferred, bytes);
  }

  const Device& device;
  Terms d;
  Kernel kernel;
  TermInt preferred = 0;
  TermInt target = 0;
  TermInt bytes = 0;
};

/// A block that comes to an idle SM under two hypotheses, and what is to be shown of it.
struct IdleSm {
  IdleSm(const char* name, std::string_view what, const Device& device, const Hypothesis& a,
         const Hypothesis& b)
      : statement(name, fmt::format("{} under {} and under {}.", what, describe(a), describe(b))),
        under_a("kernel", device, a),
        under_b("kernel", device, b) {
    statement.assume(under_a.is_legal());
  }

  Statement statement;
  Block under_a;
  Block under_b;
};

}  // namespace

Statement idle_shared_alike(const Device& device, const Hypothesis& a, const Hypothesis& b,
                            const Asked& asked) {
  auto [s, under_a, under_b] =
      IdleSm("idle-shared", "The shared memory of an idle SM answers alike", device, a, b);
  const Shared empty;
  s.claim(under_a.fits(kIdleSm, empty, under_a.target) ==
          under_b.fits(kIdleSm, empty, under_b.target));
  const auto room = [&](const Block& block) {
    return evaluate(RoomInShared{block.on(), kIdleSm}, block.d, empty, block.target, block.bytes);
  };
  if (asked.room) s.claim(room(under_a) == room(under_b));
  if (asked.usage) s.claim(under_a.bytes == under_b.bytes);
  if (asked.configurations) s.claim(under_a.target == under_b.target);
  return s;
}

Statement idle_warps_alike(const Device& device, const Hypothesis& a, const Hypothesis& b,
                           const Asked& asked) {
  auto [s, under_a, under_b] =
      IdleSm("idle-warps",
             "Wherever the warp pointers are, the warps and registers of an idle SM answer alike",
             device, a, b);
  const auto at = [](int pointer) {
    File file;
    file.pointer = pointer;
    return file;
  };
  const auto fits = [&, &s = s](const Block& block, int pointer) {
    return fits_warps(s, block.on(), block.d.hypothesis, at(pointer));
  };
  const auto room = [&](const Block& block, int pointer) {
    return evaluate(RoomForWarps{block.on()}, block.d, at(pointer));
  };
  for (int pointer = 0; pointer < kSubpartitions; ++pointer) {
    // All are like the one under the first at 0: so each is like each.
    s.claim(fits(under_a, 0) == fits(under_a, pointer));
    s.claim(fits(under_a, 0) == fits(under_b, pointer));
    if (!asked.room) continue;
    s.claim(room(under_a, 0) == room(under_a, pointer));
    s.claim(room(under_a, 0) == room(under_b, pointer));
  }
  if (asked.usage) {
    const auto per_warp = [&](const Block& block) {
      return RegisterGranularity::per_warp(block.d, demand<Terms>(block.kernel));
    };
    s.claim(per_warp(under_a) == per_warp(under_b));
  }
  return s;
}

Statement sole_block(const Device& device, const Hypothesis& h) {
  Statement s("sole-block",
              fmt::format("Under {}, no block fits on an SM beside another one.", describe(h)));
  const Block first("first", device, h);
  const Block next("next", device, h);
  s.assume(first.is_legal() && next.is_legal());
  const TermInt& config = first.target;
  Shared shared;
  s.assume(first.fits(kIdleSm, shared, config));
  shared = evaluate(PlaceShared{first.on()}, first.d, std::move(shared), config, first.bytes);
  // No gap is longer than all of them together.
  s.assume(shared.space.longest_gap(0, config) <= config - shared.space.total());
  s.claim(!next.fits(kBusySm, shared, config));
  return s;
}

}  // namespace cuvier
