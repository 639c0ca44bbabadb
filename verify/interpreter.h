#pragma once

#include <vector>

#include "verify/probe.h"
#include "verify/scheduler.h"
#include "verify/shared_memory.h"
#include "verify/warps.h"

namespace cuvier::verify {

/// What was seen of a block.
struct Seen {
  int block = 0;
  int sm = 0;
  std::vector<int> subpartitions;  ///< of each warp
  bool operator==(const Seen&) const = default;
};
/// By kernel, the blocks that start in a step, ascending.
using Step = std::vector<std::vector<Seen>>;

/// A device that goes by one hypothesis: scheduler.md from beginning to end, one session.
class Interpreter {
 public:
  /// `learned`: the order of the SMs where tie_break=learned. The device must outlive it.
  Interpreter(const Device& device, const Mechanism& mechanism, std::vector<int> learned = {});

  /// The session, of which nothing was run yet, opened so.
  void open(const Opening& opening);
  /// What each action of the probe leads to.
  std::vector<Step> run(const Probe& probe);
  /// The shared-memory configuration that the kernel prefers, bytes.
  long preferred_config(const Kernel& kernel) const;

 private:
  class Answers;

  const Device& device_;
  Mechanism mechanism_;
  std::vector<int> learned_;
  WarpRules warp_rules_;
  SharedRules shared_rules_;
  std::vector<WarpFile> warps_;
  std::vector<SharedMemory> shared_;
  Outlasting outlasting_;
};

}  // namespace cuvier::verify
