#pragma once

#include "hypotheses/axes/config_scope.h"
#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which shared-memory configuration SMs have once a block is placed there. No other rule was ever
/// seen, so the table names one; a formula can say another.
struct ConfigChange {
  enum Value : int { when_idle };
  static constexpr AxisValue values[] = {
      {"when_idle", "an idle domain takes what the block prefers, a busy one keeps its own",
       "idle == 1 ? preferred : current"},
  };
  static constexpr FormulaName names[] = {
      {"preferred", "the configuration that the kernel prefers, bytes", 0, kMostShared},
      {"current", "the configuration that the SMs had last, bytes; 0 where they never had one", 0,
       kMostShared},
      {"idle", "1 where none of the SMs that share it holds a block, otherwise 0", 0, 1},
      {"device_idle", "1 where the device holds none, otherwise 0", 0, 1},
      asked::bytes,
      asked::warps,
      asked::registers,
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::number,
      "bytes of the configuration that the SMs have with the block; no more than the largest", 0,
      kMostShared};
  static constexpr AxisLiteral scoped[] = {
      {"config_scope", one_of(ConfigScope::tpc, ConfigScope::sm, ConfigScope::device)}};
  static constexpr std::span<const AxisLiteral> matters[] = {scoped};
  static constexpr AxisInfo info{Part::shared_memory,
                                 "config_change",
                                 "which configuration SMs have once a block is placed",
                                 "",
                                 values,
                                 matters,
                                 &formula};

  /// The configuration of a domain with such a block.
  template <class D>
  static typename D::Int with_block(Value v, const typename D::Int& preferred,
                                    const typename D::Int& current, bool idle, bool device_idle,
                                    const Demand<D>& k, int largest) {
    using Int = typename D::Int;
    if (v == when_idle) return idle ? preferred : current;
    const Int bytes = number_by_formula<ConfigChange, D>(
        v, {preferred, current, idle ? 1 : 0, device_idle ? 1 : 0, k.shared, k.warps, k.registers});
    return min(bytes, Int(largest));
  }
  /// Whether a configuration is remembered once its SMs are idle: it may outlive a probe then.
  static constexpr bool is_remembered(Value v) { return v != when_idle; }
};

}  // namespace cuvier
