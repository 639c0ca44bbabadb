#pragma once

#include <functional>
#include <optional>

#include "probes/device.h"
#include "probes/probe.h"

namespace cuvier {

/// What an exhaustive search of the probes that launch two kernels, and no more, came to.
struct LeastResources {
  std::optional<Probe> probe;  ///< that has the property and is smaller, if there is one
  bool complete = false;       ///< without it: no probe of simple demands (demand_classes.h) is
};

/// Searches those of as many blocks as this one, of simple demands, that are smaller in
/// resources (ProbeSize), small ones first. Gives up where there are too many.
LeastResources least_resources(const Probe& probe, const Device& device,
                               const std::function<bool(const Probe&)>& judge);

}  // namespace cuvier
