#pragma once

#include <string>
#include <vector>

#include "uses/fleet/fleet_folder.h"

namespace cuvier {

/// What of Slurm we know, by its own commands.

inline constexpr const char* const fleet_job_name = "cuvier-fleet";

/// The nodes with GPUs, ascending: of a partition (""; any), and of a list as n[1-4] (""; all).
/// Throws Error where Slurm does not answer.
std::vector<FleetNode> slurm_nodes(const std::string& partition, const std::string& list);

/// One that Slurm has not done with.
struct SlurmTask {
  std::string job;     ///< that of its array
  std::string state;   ///< "PENDING"
  std::string reason;  ///< why it does not run: "Dependency"
};

/// Of these jobs; none where there is no Slurm. Throws Error.
std::vector<SlurmTask> slurm_tasks(const std::vector<std::string>& jobs);

/// Submits by sbatch with these options and a script. Returns the job's number. Throws Error.
std::string slurm_submit(const std::vector<std::string>& options, const std::string& script);

}  // namespace cuvier
