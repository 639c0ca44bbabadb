#include "probes/exact_steps.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cuvier {
namespace {

/// What comes of following a run.
struct Course {
  int exact = 0;             ///< steps
  std::int64_t waiting = 0;  ///< blocks, at the end of these
};

Course follow(const Observation& run, const Probe& probe) {
  std::vector<std::vector<bool>> resident(probe.kernels.size());  // of each kernel's blocks
  Course course;
  for (; course.exact < std::ssize(run.steps); ++course.exact) {
    const Action& action = probe.script[course.exact];
    std::int64_t gone = 0;
    for (const Release& release : action.releases) {
      std::vector<bool>& blocks = resident[release.kernel];
      if (release.blocks.empty()) {
        gone += std::count(blocks.begin(), blocks.end(), true);
        blocks.assign(blocks.size(), false);
      }
      for (const int block : release.blocks) {
        gone += blocks[block] ? 1 : 0;
        blocks[block] = false;
      }
    }
    if (course.waiting > 0 && gone > 1) break;
    if (action.launch) {
      const int blocks = probe.kernels[*action.launch].blocks;
      resident[*action.launch].assign(blocks, false);
      course.waiting += blocks;
    }
    for (const Started& started : run.steps[course.exact].started) {
      for (const int block : started.block) resident[started.kernel][block] = true;
      course.waiting -= std::ssize(started.block);
    }
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
