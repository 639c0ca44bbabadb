#include "hypotheses/scheduler/wait.h"

#include "hypotheses/readings/prediction.h"
#include "hypotheses/scheduler/waits.h"

namespace cuvier {

bool Refusal::has(Obstacle obstacle) const {
  return std::ranges::find(obstacles, obstacle) != obstacles.end();
}

std::vector<std::vector<Wait>> waits(const Device& device, const Hypothesis& hypothesis,
                                     const Probe& probe) {
  Prediction prediction(device, hypothesis);
  Scheduler<Prediction> scheduler(prediction, device);
  scheduler.begin(probe);
  std::vector<std::vector<Wait>> by_step;
  for (const Action& action : probe.script) {
    if (action.launch) {
      scheduler.launch(*action.launch);
    } else {
      scheduler.release(action.releases);
    }
    by_step.push_back(Waits(scheduler).all());
  }
  return by_step;
}

}  // namespace cuvier
