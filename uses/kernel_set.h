#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "probes/probe.h"
#include "uses/compiler_report.h"

namespace cuvier {

/// Reads {"kernels":{NAME:{...as in a probe...}}}. A kernel may have "entry" in place of
/// "registers": what the compiler reports of that function goes for its registers and its local
/// memory, and its static shared memory is added to "shared". Local memory
/// that every context comes with counts as none. Throws Error: `where`, the field, what is wrong,
/// also where a kernel is not legal on the device.
std::vector<Kernel> kernels_from_json(const nlohmann::ordered_json& json, const Device& device,
                                      const CompilerReport& report, const std::string& where);
nlohmann::ordered_json kernels_schema();

}  // namespace cuvier
