#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "probes/probe.h"
#include "uses/partition.h"
#include "uses/simulate/lazy_blocks.h"

namespace cuvier {

/// A kernel that arrives at some time, and whose blocks run for so long each if nothing slows them.
struct Job {
  Kernel kernel;
  double arrival_ms = 0;
  double block_ms = 1;
  double block_memory = 0;              ///< of the device's memory, the share that a block works on
  std::optional<int> most_per_sm{};     ///< of its blocks
  std::optional<IssueProfile> issue{};  ///< how its blocks share an SM's issue slots
  std::vector<double> throughput{};     ///< of 1, 2, ... of its blocks on an SM; of more: the last
};

/// How much longer blocks run as something fills: straight lines between these points.
struct Contention {
  std::vector<std::pair<double, double>> points;  ///< (share in use, what it adds: 0.5 is half)

  double added(double share) const;
};

/// When an SM gets back what a block held.
enum class Refill {
  at_once,
  in_pairs,  ///< when both of a pair have ended: blocks 0 and 1, 2 and 3, and so on
};

/// Jobs by arrival.
struct Workload {
  std::vector<Job> jobs;
  Contention contention{};         ///< for the warp slots of an SM
  Contention memory_contention{};  ///< for what all resident blocks work on; it adds to the other
  Refill refill = Refill::at_once;
  /// Lee et al.'s lazy scheduling, with this rounding: once a block of a kernel with an issue
  /// profile has ended, no SM takes more of the kernel's than lazy_blocks() says.
  std::optional<BlockRounding> lazy{};
  ReservedSms reserved{};          ///< the last ones, where it is not said which
  std::vector<Kernel> resident{};  ///< are there before all jobs, where they are put, and stay
};

/// As the schema has it. Throws Error: `where`, the field, what is wrong, also where a kernel is
/// not legal on the device.
Workload workload_from_json(const nlohmann::ordered_json& json, const Device& device,
                            const std::string& where);
nlohmann::ordered_json workload_schema();

/// What the blocks of a kernel on one SM do, by how many they are: 0, 1, 2, ...
struct Throughput {
  std::vector<double> speed;   ///< of each, in that of one alone; empty: they go as fast together
  std::vector<double> issues;  ///< instructions a cycle that all of them have to issue; empty: few
};

/// As its throughput says, or else its issue slots, up to so many blocks.
Throughput throughput_of(const Job& job, int most_blocks);

}  // namespace cuvier
