#include "probes/exact_steps.h"

#include <vector>

namespace cuvier {
namespace {

/// The blocks of one kernel in the course of a run.
struct Blocks {
  int waiting = 0;
  int resident = 0;
  std::vector<bool> is_resident;

  void launch(const Kernel& kernel) {
    waiting = kernel.blocks;
    is_resident.assign(kernel.blocks, false);
  }

  void start(const Started& started) {
    for (const int block : started.block) is_resident[block] = true;
    waiting -= static_cast<int>(started.block.size());
    resident += static_cast<int>(started.block.size());
  }

  /// How many leave.
  int let_go(const Release& release) {
    const int before = resident;
    if (release.blocks.empty()) {
      is_resident.assign(is_resident.size(), false);
      resident = 0;
    }
    for (const int block : release.blocks) {
      if (!is_resident[block]) continue;
      is_resident[block] = false;
      --resident;
    }
    return before - resident;
  }
};

/// A run, followed step by step.
class Followed {
 public:
  explicit Followed(const Probe& probe) : probe_(probe), kernels_(probe.kernels.size()) {}

  int waiting() const {
    int waiting = 0;
    for (const Blocks& blocks : kernels_) waiting += blocks.waiting;
    return waiting;
  }

  /// Whether what the step shows does not depend on the order in which blocks leave.
  bool take(const Action& action, const Step& step) {
    const bool some_wait = waiting() > 0;
    int gone = 0;
    for (const Release& release : action.releases) gone += kernels_[release.kernel].let_go(release);
    if (action.launch) kernels_[*action.launch].launch(probe_.kernels[*action.launch]);
    for (const Started& started : step.started) kernels_[started.kernel].start(started);
    return !some_wait || gone <= 1;
  }

 private:
  const Probe& probe_;
  std::vector<Blocks> kernels_;
};

}  // namespace

int exact_steps(const Observation& run, const Probe& probe) {
  Followed followed(probe);
  for (std::size_t step = 0; step < run.steps.size(); ++step) {
    if (!followed.take(probe.script[step], run.steps[step])) return static_cast<int>(step);
  }
  return static_cast<int>(run.steps.size());
}

bool leaves_unknown(const Observation& run, const Probe& probe) {
  Followed followed(probe);
  for (std::size_t step = 0; step < run.steps.size(); ++step) {
    if (!followed.take(probe.script[step], run.steps[step])) return true;
  }
  return followed.waiting() > 0;
}

}  // namespace cuvier
