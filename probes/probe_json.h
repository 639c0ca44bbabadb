#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "probes/device_json.h"
#include "probes/probe.h"

namespace cuvier {

/// Reads a probe of the oracle protocol; checks what needs no device: names
/// resolve, each kernel is launched at most once and released only after its
/// launch, blocks are in range, numbers are in the range of their type. Throws
/// Error: `where`, the field's path below `path`, what is wrong. Kernels keep the
/// order of the document, which is why it is an ordered_json.
Probe probe_from_json(const nlohmann::ordered_json& json, const std::string& where,
                      const std::string& path = {});

nlohmann::ordered_json to_json(const Probe& probe);

}  // namespace cuvier
