#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "probes/probe.h"
#include "uses/partition.h"

namespace cuvier {

// Lazy scheduling of blocks (Lee et al. 2014), over issue slots alone: an SM issues one instruction
// a cycle; a block that issued waits for so long, then goes on. Caches and DRAM are not modelled.

/// What the blocks of a kernel are like.
struct IssueProfile {
  int instructions = 1;  ///< of a block
  int stall_cycles = 0;  ///< behind each of them
};

/// How many instructions each of so many blocks on an SM issued once the first had issued all its
/// own. Greedy, then oldest: the block that issued last goes on if it can, otherwise the oldest
/// that can.
std::vector<int> issued_when_first_ends(const IssueProfile& profile, int blocks);

/// Instructions a cycle with 1, 2, ... blocks resident, until the first ends.
std::vector<double> throughput_by_blocks(const IssueProfile& profile, int most);

/// What becomes of 2.5 blocks. The paper's formula and its example do not agree on it.
enum class BlockRounding { down, nearest, up };

/// How many blocks an SM should hold: the instructions that all issued while they were watched,
/// over the most that one of them did; 1 at least.
int lazy_blocks(const std::vector<int>& issued, BlockRounding rounding);

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
