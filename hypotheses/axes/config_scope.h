#pragma once

#include "hypotheses/axis.h"

namespace cuvier {

/// Which SMs share one shared-memory configuration.
struct ConfigScope {
  enum Value : int { tpc, sm, device, none };
  static constexpr AxisValue values[] = {
      {"tpc", "the SMs of a TPC share a configuration"},
      {"sm", "each SM has a configuration of its own"},
      {"device", "all SMs of the device share a configuration"},
      {"none", "every SM always has the largest configuration"},
  };
  static constexpr AxisTitle title{Part::shared_memory, "config_scope",
                                   "which SMs share a configuration"};

  /// What changes a configuration, or asks for one, does not matter where it is always the largest.
  static constexpr AxisLiteral scoped[] = {{"config_scope", one_of(tpc, sm, device)}};
  static constexpr std::span<const AxisLiteral> if_scoped[] = {scoped};
};

}  // namespace cuvier
