#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "uses/fleet/gpu_result.h"

namespace cuvier {

/// The GPUs of a node that are to be asked.
struct FleetNode {
  std::string name;
  int gpus = 0;
};

/// fleet.json: what was submitted.
struct Submitted {
  std::string oracle;
  std::vector<FleetNode> nodes;
  std::vector<std::string> jobs;  ///< of Slurm, the latest submission's
};

/// The folder that all tasks of a fleet share (docs/howto/fleet.md):
///
///     fleet.json, task.sh, logs/
///     gpus/ID/           gpu.json, and what its task found
///     nodes/NODE/ID      empty: this GPU of the node was reached
///     nodes/NODE/N.failed    why its GPU number N could not be opened
///     models/PRODUCT.json    what the first of the product does that was identified
class FleetFolder {
 public:
  explicit FleetFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::filesystem::path gpu(const std::string& id) const { return path_ / "gpus" / id; }
  std::string model_of(const std::string& product) const;

  /// Throws Error where nothing was submitted there.
  Submitted submitted() const;
  void submit(const Submitted& submitted) const;

  /// One after the other, so that a fleet of any size takes the memory of one. Of a GPU whose file
  /// is not there yet nothing is told. Throws Error.
  void each_gpu(const std::function<void(GpuResult&&)>& told) const;

  /// That a task was given this GPU of the node. Throws Error where that cannot be written.
  void note_reached(const std::string& node, const std::string& id) const;
  /// How many GPUs of the node were.
  int reached(const std::string& node) const;
  /// Of these, how many are done or have a task at them.
  int taken(const std::string& node) const;

  /// Why a GPU could not be opened; `number`: which it is on its node. Throws Error likewise.
  void note_failure(const std::string& node, const std::string& number,
                    const std::string& why) const;
  /// That it was opened after all.
  void forget_failure(const std::string& node, const std::string& number) const;
  /// Why GPUs of the node could not be opened, all that is noted.
  std::vector<std::string> failures(const std::string& node) const;

 private:
  std::filesystem::path failure(const std::string& node, const std::string& number) const;

  std::filesystem::path path_;
};

nlohmann::ordered_json submitted_schema();

/// A GPU that is ours, as long as this lives: a lock that ends with its process, whatever ends
/// that.
class GpuLock {
 public:
  /// In its folder, which is made. Throws Error where that cannot be written.
  explicit GpuLock(const std::filesystem::path& folder);
  ~GpuLock();
  GpuLock(const GpuLock&) = delete;
  GpuLock& operator=(const GpuLock&) = delete;

  bool is_ours() const { return is_ours_; }

  /// Whether a task is at the GPU of this folder.
  static bool is_held(const std::filesystem::path& folder);

 private:
  int fd_ = -1;
  bool is_ours_ = false;
};

/// How far a fleet has come.
struct FleetStatus {
  int gpus = 0;  ///< that are to be asked
  int done = 0;
  std::vector<std::string> at_work;  ///< GPUs
  struct Stopped {
    std::string gpu;  ///< or where it is, if it could not be opened
    std::string why;  ///< as far as it is known
  };
  std::vector<Stopped> stopped;  ///< begun, not done, and no task is at them
  double seconds = 0;            ///< that each that is done took, on average

  int not_begun() const;
  /// Until all is done, if as many tasks stay at work; 0 where nothing is known.
  double seconds_left() const;
};

/// Throws Error where there is no fleet.
FleetStatus status_of(const FleetFolder& folder);

}  // namespace cuvier
