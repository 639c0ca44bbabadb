#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "probes/probe.h"
#include "uses/compiler_report.h"
#include "uses/fits/launching.h"

namespace cuvier {

/// Reads {"kernels":{NAME:{...as in a probe...}},"resident":{NAME:{...}},"reserved_sms":N}, in
/// which reserved_sms may be a list of SMs. A kernel may have "entry" in place of "registers": what
/// the compiler reports of that function goes for its registers and its local memory, and its
/// static shared memory is added to "shared". It may be launched cooperatively, or after others.
/// Local memory that every context comes with counts as none. Throws Error: `where`, the field,
/// what is wrong, also where a kernel is not legal on the device.
KernelSet kernels_from_json(const nlohmann::ordered_json& json, const Device& device,
                            const CompilerReport& report, const std::string& where);
nlohmann::ordered_json kernels_schema();

/// A probe of the device whose kernels may have "entry", too. Throws Error likewise.
Probe probe_with_entries(nlohmann::ordered_json json, const Device& device,
                         const CompilerReport& report, const std::string& where);

}  // namespace cuvier
