#pragma once

#include "hypotheses/axes/config_rounding.h"
#include "hypotheses/axes/warp_placement.h"
#include "probes/device.h"

namespace cuvier {

/// How many blocks a preferred shared-memory configuration is made for.
struct ConfigOccupancy {
  enum Value {
    all_limits,
    ignore_registers,
    single_block,
    quadrupled_registers,
    quadrupled_warps_and_registers
  };
  static constexpr AxisValue values[] = {
      {"all_limits", "as many as an idle SM can hold"},
      {"ignore_registers", "the same without the register limit"},
      {"single_block", "one"},
      {"quadrupled_registers", "four times the register limit, on unrounded registers"},
      {"quadrupled_warps_and_registers", "the same with four times the warp limit as well"},
  };
  static constexpr AxisLiteral rounded[] = {
      {"config_rounding", one_of(ConfigRounding::up_to_supported, ConfigRounding::exact,
                                 ConfigRounding::power_of_two)}};
  static constexpr std::span<const AxisLiteral> matters[] = {rounded};
  static constexpr AxisInfo info{Part::shared_memory, "config_occupancy",
                                 "how many blocks a configuration is made for", values, matters};

  /// Blocks of w warps, r_w allocated registers per warp and s bytes; at least 1.
  template <class D>
  static typename D::Int blocks(const D& d, const Device& device, const typename D::Int& w,
                                const typename D::Int& registers_per_thread,
                                const typename D::Int& r_w, const typename D::Int& s) {
    using Int = typename D::Int;
    const Int slots = device.warps_per_subpartition();
    const Int registers = device.registers_per_subpartition();
    const Int in_space =
        ite(s == 0, Int(device.max_blocks_per_sm), device.largest_config() / max(s, Int(1)));
    const Int unrounded = registers / (registers_per_thread * 32) * 16;
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
      }
      return max(Int(1), min(min(Int(device.max_blocks_per_sm), warps / w), in_space));
    });
  }
};

}  // namespace cuvier
