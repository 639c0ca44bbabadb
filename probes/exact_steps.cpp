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

/// What comes of following a run.
struct Course {
  int exact = 0;    ///< steps
  int waiting = 0;  ///< blocks, at the end of these
};

Course follow(const Observation& run, const Probe& probe) {
  std::vector<Blocks> kernels(probe.kernels.size());
  Course course;
  for (; course.exact < std::ssize(run.steps); ++course.exact) {
    const Action& action = probe.script[course.exact];
    int gone = 0;
    for (const Release& release : action.releases) gone += kernels[release.kernel].let_go(release);
    if (course.waiting > 0 && gone > 1) break;
    if (action.launch) kernels[*action.launch].launch(probe.kernels[*action.launch]);
    for (const Started& started : run.steps[course.exact].started) {
      kernels[started.kernel].start(started);
    }
    course.waiting = 0;
    for (const Blocks& blocks : kernels) course.waiting += blocks.waiting;
  }
  return course;
}

}  // namespace

int exact_steps(const Observation& run, const Probe& probe) { return follow(run, probe).exact; }

bool leaves_unknown(const Observation& run, const Probe& probe) {
  const Course course = follow(run, probe);
  return course.exact < std::ssize(run.steps) || course.waiting > 0;
}

}  // namespace cuvier
