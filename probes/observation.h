#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "probes/probe_json.h"
#include "probes/warp_slots.h"

namespace cuvier {

/// The blocks of one kernel that started in one step: parallel arrays,
/// ascending by block. The optional channels are empty where not observed.
struct Started {
  int kernel = 0;  ///< index into Probe::kernels
  std::vector<int> block;
  std::vector<int> sm;
  WarpSlots warp_slot;                 ///< %warpid of each warp
  std::vector<std::int64_t> start_ns;  ///< device time

  bool operator==(const Started&) const = default;
};

/// What happened after one action of the script.
struct Step {
  std::vector<Started> started;      ///< by kernel index; only kernels with blocks that started
  std::map<int, int> shared_config;  ///< kernel index -> bytes; with that channel, on a launch

  bool operator==(const Step&) const = default;
};

/// One run of a probe: one step for each action. A block in no step never started.
struct Observation {
  std::vector<Step> steps;

  bool operator==(const Observation&) const = default;
};

/// Reads one element of `runs` for this probe; throws Error on anything that
/// cannot be an observation of it (unknown kernel, block out of range, a block
/// that starts twice or before its launch, arrays of different lengths, an SM
/// that the device does not have).
Observation observation_from_json(const nlohmann::ordered_json& json, const Probe& probe,
                                  const Device& device, const std::string& where,
                                  const std::string& path = {});

nlohmann::ordered_json to_json(const Observation& observation, const Probe& probe);

/// What of it is seen through these channels beside the SM of each block.
Step seen_through(const std::vector<std::string>& channels, Step step);
Observation seen_through(const std::vector<std::string>& channels, Observation observation);

}  // namespace cuvier
