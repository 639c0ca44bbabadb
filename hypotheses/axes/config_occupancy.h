#pragma once

#include "hypotheses/axes/config_rounding.h"
#include "hypotheses/axes/warp_placement.h"
#include "hypotheses/formulas/evaluate.h"
#include "probes/device.h"

namespace cuvier {

/// How many blocks a preferred shared-memory configuration is made for.
struct ConfigOccupancy {
  enum Value : int {
    all_limits,
    ignore_registers,
    single_block,
    quadrupled_registers,
    quadrupled_warps_and_registers
  };
  static constexpr AxisValue values[] = {
      {"all_limits", "as many blocks as an idle SM can hold",
       "min(blocks, 4 * min(slots, file / warp_registers) / w, in_space)"},
      {"ignore_registers", "as many blocks as an idle SM could hold without a register limit",
       "min(blocks, 4 * slots / w, in_space)"},
      {"single_block", "one block", "1"},
      {"quadrupled_registers",
       "as many blocks as an idle SM could hold with four times its registers, unrounded",
       "min(blocks, min(4 * slots, 16 * (file / (32 * registers))) / w, in_space)"},
      {"quadrupled_warps_and_registers",
       "as many blocks as an idle SM could hold with four times its warps and registers",
       "min(blocks, min(16 * slots, 16 * (file / (32 * registers))) / w, in_space)"},
  };
  static constexpr FormulaName names[] = {
      asked::warps,
      asked::registers,
      {"warp_registers", "registers that a warp holds", 32, kMostFile},
      {"slots", "warp slots of a subpartition", 1, kMostOfAnSm},
      {"file", "registers of a subpartition", 1, kMostFile},
      {"blocks", "that an SM holds at most", 1, kMostOfAnSm},
      {"in_space", "blocks whose bytes the largest configuration holds", 0, kMostShared},
      {"bytes", "of a block, rounded, the runtime's among them", 0, kMostShared},
      asked::grid,
      nearby::sms,
      asked::local,
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number, "blocks, one at least", 1,
                                       64};
  static constexpr AxisTitle title{Part::shared_memory, "config_occupancy",
                                   "how many blocks a configuration is made for",
                                   "a shared-memory configuration is made for"};
  static constexpr auto& matters = ConfigRounding::if_rounded;

  /// Blocks of r_w allocated registers per warp and s bytes; at least 1.
  template <class C, class D>
  static typename D::Int blocks(const C& d, const Device& device, const Demand<D>& k,
                                const typename D::Int& r_w, const typename D::Int& s) {
    using Int = typename D::Int;
    const Int& w = k.warps;
    const Int slots = device.warps_per_subpartition();
    const Int registers = device.registers_per_subpartition();
    const Int in_space =
        ite(s == 0, Int(device.max_blocks_per_sm), device.largest_config() / max(s, Int(1)));
    const Int unrounded = registers / (k.registers * 32) * 16;
    return d.template choose<ConfigOccupancy>([&](Value v) -> Int {
      Int warps = slots * 4;
      switch (v) {
        case all_limits:
          warps = min(slots, registers / r_w) * 4;
          break;
        case ignore_registers:
          break;
        case single_block:
          return Int(1);
        case quadrupled_registers:
          warps = min(warps, unrounded);
          break;
        case quadrupled_warps_and_registers:
          warps = min(slots * 16, unrounded);
          break;
        default:
          return number_by_formula<ConfigOccupancy, D>(
              v, {w, k.registers, r_w, slots, registers, Int(device.max_blocks_per_sm), in_space, s,
                  k.grid, Int(device.sms), k.local});
      }
      return max(Int(1), min(min(Int(device.max_blocks_per_sm), warps / w), in_space));
    });
  }
};

}  // namespace cuvier
