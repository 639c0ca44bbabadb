#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"

namespace cuvier {

/// How far a task has come with its GPU.
enum class FleetStage { begun, checked, probed, done };

/// What is known of one GPU of a fleet: gpus/ID/gpu.json, written anew after each stage.
struct GpuResult {
  // Which it is.
  std::string id;  ///< its UUID; of an oracle that tells none, where it is
  std::string driver;
  std::string host;
  std::string oracle;
  Device device;  ///< with its own map

  FleetStage stage = FleetStage::begun;
  double seconds = 0;  ///< that tasks worked on it
  std::string failed;  ///< why the last task ended before its end, if it did

  // What the check of its device said.
  std::vector<std::string> facts_otherwise;  ///< in words: "max_warps_per_sm: 48, not 64"
  std::vector<std::string> unrepeated;       ///< probes whose answer was another the second time
  std::vector<int> silent_sms;               ///< on which no block was ever seen
  double run_ms = 0;                         ///< of a probe, in the median

  // What the probes said that tell the fleet's model from others.
  int asked = 0;                ///< that were answered
  int told = 0;                 ///< others that these tell from it
  int rivals = 0;               ///< of so many
  std::string contradicted_by;  ///< the probe whose answer the model does not explain

  // What it does.
  std::string verdict;  ///< "as the model", or that of an inference of its own
  std::string reason;
  std::optional<Hypothesis> mechanism;

  std::string product() const { return device.name; }
};

/// Throws Error with file and field.
GpuResult read_gpu_result(const std::string& path);
nlohmann::ordered_json to_json(const GpuResult& result);
nlohmann::ordered_json gpu_result_schema();

inline constexpr const char* const as_the_model = "as the model";

}  // namespace cuvier
