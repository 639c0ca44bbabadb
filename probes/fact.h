#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "probes/observation.h"

namespace cuvier {

/// One thing known of a probe's outcome: the oracle protocol's table of facts.
struct Fact {
  enum class Kind {
    sm,             ///< values: the SM of each block that starts, ascending by block
    sm_set,         ///< values: the SMs on which blocks start, one block each, ascending
    started,        ///< values[0]: how many blocks start
    starts,         ///< values[0]: 1 if any does, 0 if none
    complete,       ///< values[0]: 1 if all of the kernel's blocks start in that step
    warp_slot,      ///< slots: %warpid of each warp of each block that starts
    shared_config,  ///< values[0]: the kernel's preferred configuration, bytes; no step
  };

  Kind kind = Kind::sm;
  int step = -1;   ///< index into the script; -1 for shared_config
  int kernel = 0;  ///< index into Probe::kernels
  std::vector<int> values;
  WarpSlots slots;

  /// Whether its values are SMs.
  bool lists_sms() const { return kind == Kind::sm || kind == Kind::sm_set; }

  bool operator==(const Fact&) const = default;
};

class InitialObservation;

/// A probe and what is known of its outcome.
struct Recording {
  Probe probe;
  std::vector<Fact> facts;
  bool fresh = true;  ///< the first of a session; otherwise it ran after the one before
  std::string where;  ///< file and line it was read from, for messages
  /// If it is fresh, what left hidden state where it was then (probes/initial_observation.h);
  /// without one, hidden state was at its start.
  std::shared_ptr<const InitialObservation> opening = nullptr;

  const std::string& name() const { return probe.name; }
};

/// The recording as far as these steps of its script.
Recording first_steps(Recording recording, int steps);

/// Everything that was recorded on one device: the content of a .jsonl file.
struct RecordingSet {
  std::string source;
  Device device;
  std::vector<Recording> recordings;
};

/// Reads a file of the oracle protocol's recordings. Throws Error with file,
/// line and field. An empty file, or one without a device line, is an error.
/// Recordings are fresh unless the device line has `"session":true`; then only
/// the first is, and the first after a line `{"type":"session"}` (ours: an
/// inference's journal is such a file, and its oracle may have been restarted)
/// or `{"type":"opening", ...}`, which begins a session with that opening.
RecordingSet read_recordings(const std::string& path);

/// As far as its steps are exact, where the line says that (docs/reference/oracle-protocol.md): of
/// none, its script is empty.
Recording recording_from_json(const nlohmann::ordered_json& json, const Device& device,
                              const std::string& where);
nlohmann::ordered_json to_json(const Recording& recording);
nlohmann::ordered_json to_json(const Fact& fact, const Probe& probe);

/// The facts of a full observation: an `sm` fact for each kernel that starts in
/// each step, a `started` 0 for each launched kernel that has blocks left and
/// starts none in a step, and the optional channels where they were observed.
std::vector<Fact> facts_of(const Observation& observation, const Probe& probe);

/// The facts' own words for messages: "step 1, k2: starts on SMs {0, 2}".
std::string describe(const Fact& fact, const Probe& probe);

/// All SMs that these list.
std::set<int> sms_in(const std::vector<Fact>& facts);

/// The blocks of the kernel that started in the step; null where none did.
const Started* started_of(const Step& step, int kernel);

/// What a fact of this kind says where blocks of the kernel start on these SMs, ascending by block;
/// none of warp slots or configurations.
std::vector<int> values_of(Fact::Kind kind, std::vector<int> sms, const Kernel& kernel);

/// Whether the observation agrees with the fact; `shared_config` facts look at
/// the step that launches the kernel and agree where it reports nothing.
bool agrees(const Fact& fact, const Observation& observation, const Probe& probe);

/// Whether it agrees with all that was recorded of its probe.
bool explains(const Observation& predicted, const Recording& recording);

}  // namespace cuvier
