#pragma once

#include "hypotheses/axes/config_scope.h"
#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// Whether a kernel may join SMs whose configuration is smaller than it prefers.
struct ConfigGate {
  enum Value : int { preferred, space_only, preferred_if_dynamic };
  static constexpr AxisValue values[] = {
      {"preferred", "refuses a block that prefers a larger one", "preferred <= current"},
      {"space_only", "takes any block for which it has the space", "0 == 0"},
      {"preferred_if_dynamic",
       "refuses a block that prefers a larger one and uses dynamic shared memory",
       "preferred <= current or bytes == 0"},
  };
  static constexpr FormulaName names[] = {
      {"preferred", "the configuration that the kernel prefers, bytes", 0, kMostShared},
      {"current", "the configuration of the SMs, bytes", 0, kMostShared},
      asked::bytes,
      asked::warps,
      asked::registers,
  };
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::condition,
                                       "whether the kernel may join"};
  static constexpr AxisTitle title{Part::shared_memory, "config_gate",
                                   "who may join a smaller configuration",
                                   "a smaller shared-memory configuration"};
  static constexpr auto& matters = ConfigScope::if_scoped;

  /// Whether a busy domain at `current` bytes accepts a kernel of such blocks that prefers
  /// `preferred_config`.
  template <class C, class D>
  static typename D::Bool accepts(const C& d, const typename D::Int& preferred_config,
                                  const typename D::Int& current, const Demand<D>& k) {
    using Bool = typename D::Bool;
    return d.template choose<ConfigGate>([&](Value v) -> Bool {
      const Bool small_enough = preferred_config <= current;
      switch (v) {
        case preferred:
          return small_enough;
        case space_only:
          return Bool(true);
        case preferred_if_dynamic:
          return small_enough || k.shared == 0;
      }
      return condition_by_formula<ConfigGate, D>(
          v, {preferred_config, current, k.shared, k.warps, k.registers});
    });
  }
};

}  // namespace cuvier
