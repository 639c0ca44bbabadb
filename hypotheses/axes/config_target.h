#pragma once

#include "hypotheses/axes/config_rounding.h"

namespace cuvier {

/// Which shared-memory configuration idle SMs take for a kernel; and the one that channels show.
struct ConfigTarget {
  enum Value : int { preferred, twice_the_blocks };
  static constexpr AxisValue values[] = {
      {"preferred", "the configuration that the kernel prefers", "wanted"},
      // An H100 and an H200: docs/results/hopper.md.
      {"twice_the_blocks",
       "a configuration for twice as many blocks, up to 32 blocks and 132 KiB; without dynamic "
       "shared memory 32, 16 or 8 KiB",
       "wanted == block_bytes ? wanted : bytes == 0 ? (w < 16 ? 32768 : w < 24 ? 16384 : 8192) : "
       "min(w == 32 ? min(wanted, 135168) : 2 * min(wanted, 67584), 32 * min(block_bytes, 4224))",
       Needs::lone_tpcs, true},
  };
  static constexpr FormulaName names[] = {
      {"wanted", "bytes of the blocks for which the configuration is made that the kernel prefers",
       0, 1 << 30, lasting, said_by("config_occupancy")},
      {"block_bytes", "that a block takes, the runtime's among them", 0, kMostShared},
      asked::bytes,
      asked::warps,
      asked::registers,
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::number,
      "bytes that it is made for, which are rounded as config_rounding says; what the kernel "
      "prefers is the least",
      0, 1 << 30};
  static constexpr AxisTitle title{Part::shared_memory, "config_target",
                                   "which configuration idle SMs take for a kernel",
                                   "idle SMs take"};
  static constexpr auto& matters = ConfigRounding::if_rounded;

  /// For a kernel that prefers a configuration for blocks of `wanted` bytes together, each of `s`
  /// bytes. `rounded`: as ConfigRounding::round, of bytes.
  template <class C, class D>
  static typename D::Int config(const C& d, const typename D::Int& preferred_config,
                                const typename D::Int& wanted, const typename D::Int& s,
                                const Demand<D>& k, const auto& rounded) {
    using Int = typename D::Int;
    return d.template choose<ConfigTarget>([&](Value v) -> Int {
      if (v == preferred) return preferred_config;
      return max(preferred_config, rounded(bytes<D>(v, wanted, s, k)));
    });
  }

 private:
  template <class D, class Int = typename D::Int>
  static Int bytes(Value v, const Int& wanted, const Int& s, const Demand<D>& k) {
    if (v != twice_the_blocks) {
      return number_by_formula<ConfigTarget, D>(v, {wanted, s, k.shared, k.warps, k.registers});
    }
    const Int by_warps = ite(k.warps < 16, Int(32768), ite(k.warps < 24, Int(16384), Int(8192)));
    const Int twice = ite(k.warps == 32, min(wanted, Int(135168)), min(wanted, Int(67584)) * 2);
    return ite(wanted == s, s, ite(k.shared == 0, by_warps, min(twice, min(s, Int(4224)) * 32)));
  }
};

}  // namespace cuvier
