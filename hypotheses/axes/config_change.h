#pragma once

#include "hypotheses/axes/config_scope.h"
#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Which shared-memory configuration SMs have once a block is placed there.
struct ConfigChange {
  enum Value : int { when_idle, when_idle_before };
  static constexpr AxisValue values[] = {
      {"when_idle", "an idle domain takes what is the block's target, a busy one keeps its own",
       "idle == 1 ? target : current"},
      // An H100 and an H200: docs/results/hopper.md.
      {"when_idle_before",
       "the same, but a domain that a waiting block gets as it becomes idle keeps its own, if that "
       "is not less than the block prefers",
       "idle == 0 or emptied == 1 and preferred <= current ? current : target", Needs::lone_tpcs,
       true},
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
      {"target", "the configuration that idle SMs take for the kernel, bytes", 0, kMostShared},
      {"emptied",
       "1 where the last block on the SMs that share it left in this action, otherwise 0", 0, 1},
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::number,
      "bytes of the configuration that the SMs have with the block; no more than the largest", 0,
      kMostShared};
  static constexpr AxisTitle title{Part::shared_memory, "config_change",
                                   "which configuration SMs have once a block is placed"};
  static constexpr auto& matters = ConfigScope::if_scoped;

  /// A domain, before a block comes.
  template <class Int>
  struct Domain {
    Int current{};
    bool idle = true;
    bool emptied = false;
    bool device_idle = true;
  };
  /// The configuration of a domain with such a block.
  template <class D>
  static typename D::Int with_block(Value v, const typename D::Int& preferred,
                                    const typename D::Int& target,
                                    const Domain<typename D::Int>& domain, const Demand<D>& k,
                                    int largest) {
    using Int = typename D::Int;
    const auto& [current, idle, emptied, device_idle] = domain;
    switch (v) {
      case when_idle:
        return idle ? target : current;
      case when_idle_before:
        if (!idle) return current;
        return emptied ? ite(preferred <= current, current, target) : target;
    }
    const Int bytes = number_by_formula<ConfigChange, D>(
        v, {preferred, current, idle ? 1 : 0, device_idle ? 1 : 0, k.shared, k.warps, k.registers,
            target, emptied ? 1 : 0});
    return min(bytes, Int(largest));
  }
  /// Whether a configuration is remembered of SMs that became idle in an earlier action: it may
  /// outlive a probe then.
  static constexpr bool is_remembered(Value v) { return v > when_idle_before; }
};

}  // namespace cuvier
