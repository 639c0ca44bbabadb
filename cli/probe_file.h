#pragma once

#include <string>

#include "probes/probe.h"

namespace cuvier {

/// Reads PROBE.json and checks it against the device. Throws Error.
Probe read_probe(const std::string& path, const Device& device);

}  // namespace cuvier
