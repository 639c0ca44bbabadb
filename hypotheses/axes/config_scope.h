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
  static constexpr AxisInfo info{Part::shared_memory, "config_scope",
                                 "which SMs share a configuration", "", values};
};

}  // namespace cuvier
