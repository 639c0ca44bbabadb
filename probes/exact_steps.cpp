#include "probes/exact_steps.h"

#include <set>

namespace cuvier {
namespace {

/// The blocks of one kernel in the course of a run.
struct Blocks {
  int waiting = 0;
  std::set<int> resident;

  /// How many leave.
  int let_go(const Release& release) {
    int gone = 0;
    if (release.blocks.empty()) {
      gone = static_cast<int>(resident.size());
      resident.clear();
    }
    for (const int block : release.blocks) gone += static_cast<int>(resident.erase(block));
    return gone;
  }
};

}  // namespace

int exact_steps(const Observation& run, const Probe& probe) {
  std::vector<Blocks> kernels(probe.kernels.size());
  for (std::size_t step = 0; step < run.steps.size(); ++step) {
    const Action& action = probe.script[step];
    int waiting = 0;
    for (const Blocks& blocks : kernels) waiting += blocks.waiting;
    int gone = 0;
    for (const Release& release : action.releases) gone += kernels[release.kernel].let_go(release);
    if (waiting > 0 && gone > 1) return static_cast<int>(step);
    if (action.launch) kernels[*action.launch].waiting = probe.kernels[*action.launch].blocks;
    for (const Started& started : run.steps[step].started) {
      Blocks& blocks = kernels[started.kernel];
      blocks.waiting -= static_cast<int>(started.block.size());
      blocks.resident.insert(started.block.begin(), started.block.end());
    }
  }
  return static_cast<int>(run.steps.size());
}

}  // namespace cuvier
