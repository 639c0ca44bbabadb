#pragma once

#include <vector>

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

}  // namespace cuvier
