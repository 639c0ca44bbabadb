#pragma once

#include "hypotheses/axes/config_scope.h"

namespace cuvier {

/// Whether a kernel may join SMs whose configuration is smaller than it prefers.
struct ConfigGate {
  enum Value { preferred, space_only, preferred_if_dynamic };
  static constexpr AxisValue values[] = {
      {"preferred", "refused where it prefers a larger configuration"},
      {"space_only", "only the space counts"},
      {"preferred_if_dynamic", "refused only if it uses dynamic shared memory"},
  };
  static constexpr AxisLiteral scoped[] = {
      {"config_scope", one_of(ConfigScope::tpc, ConfigScope::sm, ConfigScope::device)}};
  static constexpr std::span<const AxisLiteral> matters[] = {scoped};
  static constexpr AxisInfo info{Part::shared_memory, "config_gate",
                                 "who may join a smaller configuration", values, matters};

  /// Whether a busy domain at `current` bytes accepts a kernel that prefers `preferred_config`.
  template <class D>
  static typename D::Bool accepts(const D& d, const typename D::Int& preferred_config,
                                  const typename D::Int& current,
                                  const typename D::Int& dynamic_bytes) {
    using Bool = typename D::Bool;
    return d.template choose<ConfigGate>([&](Value v) -> Bool {
      const Bool small_enough = preferred_config <= current;
      switch (v) {
        case preferred:
          return small_enough;
        case space_only:
          return Bool(true);
        case preferred_if_dynamic:
          return small_enough || dynamic_bytes == 0;
      }
      return small_enough;
    });
  }
};

}  // namespace cuvier
