#pragma once

#include "probes/fact.h"
#include "probes/json_fields.h"

namespace cuvier {

/// The facts of this probe, on this device. Throws Error: the place, what is wrong.
std::vector<Fact> facts_from_json(const Json& json, const Place& place, const Probe& probe,
                                  const Device& device);

Json facts_schema();

/// The content of a file of recordings, which messages call `path`: read_recordings().
RecordingSet recordings_from_text(std::string_view text, const std::string& path);

}  // namespace cuvier
