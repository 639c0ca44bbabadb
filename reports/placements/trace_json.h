#pragma once

#include <nlohmann/json_fwd.hpp>

#include "probes/fact.h"
#include "uses/simulate/simulation.h"

namespace cuvier {

/// What was seen, as Chrome trace events, which Perfetto and chrome://tracing open: each GPC a
/// process (or the device, where it is not known which SMs a GPC has), each SM a track in it (more
/// than one where blocks are resident together), each block a slice from the step in which it
/// started to the one in which it was released, and the host's actions beside them. A step takes a
/// millisecond of the trace: recordings know an order and no times. Blocks are shown of which it is
/// known where they went (`sm` facts).
nlohmann::ordered_json trace_json(const RecordingSet& set);

/// The same of a simulation, in its own time.
nlohmann::ordered_json trace_json(const Device& device, const Trace& simulated);
/// The same of one probe, as the text of a file.
std::string trace_text(const Device& device, const Probe& probe, const std::vector<Fact>& facts);

}  // namespace cuvier
