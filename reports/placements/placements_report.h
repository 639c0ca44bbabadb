#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hypotheses/scheduler/wait.h"
#include "probes/fact.h"
#include "probes/observation.h"
#include "probes/oracle.h"
#include "uses/simulate/simulation.h"

namespace cuvier {

/// A table for people: by step and kernel, how many blocks started and where.
std::string observation_text(const Observation& observation, const Probe& probe);

/// The same for an answer; where only facts are known, those.
std::string answer_text(const Answer& answer, const Probe& probe);

/// An action as people write it: "launch k1", "release k2, k1[0,3]".
std::string action_words(const Action& action, const Probe& probe);

/// What the wait is for, in words that a CUDA programmer knows; a line for each thing, without an
/// end of line at the last.
std::string wait_words(const Wait& wait, const Probe& probe);

/// What each kernel of a probe that waits waits for, by step; a wait that stays the same is told
/// once. Empty where nothing waits.
std::string waits_text(const std::vector<std::vector<Wait>>& waits, const Probe& probe);

/// {"kernel":NAME,"blocks":N,"for":"stream"|"connection"|"resident_kernels"|"head_of_queue"|"local_memory"|
/// "room"|"turn"|"cluster",...}: "behind" names a kernel, "refused" says what SMs lack.
nlohmann::ordered_json to_json(const Wait& wait, const Probe& probe);

/// The same with "step", of all steps.
nlohmann::ordered_json waits_json(const std::vector<std::vector<Wait>>& waits, const Probe& probe);

/// The recording's `sm` facts, by step, as far as it is known which blocks they are about. A
/// kernel's start in the order of their numbers: once it is told that some do, and not where, the
/// numbers of those that follow are not known.
std::vector<Fact> numbered_starts(const Recording& recording);

/// What was seen, as Chrome trace events, which Perfetto and chrome://tracing open: each GPC a
/// process (or the device, where it is not known which SMs a GPC has), each SM a track in it (more
/// than one where blocks are resident together), each block a slice from the step in which it
/// started to the one in which it was released, and the host's actions beside them. A step takes a
/// millisecond of the trace: recordings know an order and no times. Blocks are shown of which it is
/// known where they went (numbered_starts).
nlohmann::ordered_json trace_json(const RecordingSet& set);

/// The same of a simulation, in its own time.
nlohmann::ordered_json trace_json(const Device& device, const Trace& simulated);
/// The same of one probe, as the text of a file.
std::string trace_text(const Device& device, const Probe& probe, const std::vector<Fact>& facts);

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

/// Where the blocks of these recordings went, as far as that is known block by block
/// (numbered_starts): columns probe, step, kernel, block and sm, a line for each block that starts.
std::string placements_csv(const RecordingSet& set);

}  // namespace cuvier
