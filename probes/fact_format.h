#pragma once

#include "probes/fact.h"
#include "probes/json_fields.h"

namespace cuvier {

/// The facts of this probe, on this device. Throws Error: the place, what is wrong.
std::vector<Fact> facts_from_json(const Json& json, const Place& place, const Probe& probe,
                                  const Device& device);

Json facts_schema();

}  // namespace cuvier
