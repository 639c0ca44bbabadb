#pragma once

#include <string>
#include <vector>

#include "probes/fact.h"

namespace cuvier {

/// A file of a kit for Accel-Sim, by its path in the folder.
struct TraceFile {
  std::string path;
  std::string text;
};

/// The launches with which a probe begins, for Accel-Sim's trace-driven mode: kernelslist.g, and a
/// .traceg file for each kernel, whose warps do nothing but take long, so that blocks stay while
/// others come. None where the probe has clusters or too many warps for a trace of a few megabytes.
std::vector<TraceFile> accel_sim_traces(const Probe& probe, const Device& device);

/// The device's facts as options of gpgpusim.config.
std::string gpgpusim_config(const Device& device);

/// Where the blocks of these recordings went, as far as that is known block by block: columns
/// probe, step, kernel, block and sm, a line for each block that starts.
std::string placements_csv(const RecordingSet& set);

}  // namespace cuvier
