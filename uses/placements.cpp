#include "uses/placements.h"

#include "hypotheses/readings/choices.h"
#include "hypotheses/simulator.h"
#include "uses/partition.h"

namespace cuvier {

Placements placements(const Device& device, const Hypothesis& hypothesis, const Probe& probe,
                      const std::vector<int>& reserved_sms) {
  const Partition part = without_sms(device, reserved_sms);
  const Hypothesis there = on_partition(device, hypothesis, part);
  Placements placed{predict(part.device, there, probe), waits(part.device, there, probe),
                    steps_of_one_outcome(part.device, there, probe)};
  part.name_as_on_whole(placed.observation.steps);
  for (std::vector<Wait>& step : placed.waits) {
    for (Wait& wait : step) part.name_as_on_whole(wait);
  }
  return placed;
}

}  // namespace cuvier
