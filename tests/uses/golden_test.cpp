#include "uses/kit/golden.h"

#include <gtest/gtest.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/neighbours.h"
#include "hypotheses/simulator.h"

namespace cuvier {
namespace {

int probes_that_tell(const RecordingSet& kit, const Hypothesis& rival) {
  int count = 0;
  for (const Recording& recording : kit.recordings) {
    const Observation seen = seen_through({}, predict(kit.device, rival, recording.probe));
    count += facts_of(seen, recording.probe) != recording.facts;
  }
  return count;
}

TEST(Golden, NoChangeOfOneAxisIsCaughtByOneProbeAlone) {
  for (const char* const name : {"rtx3090", "h200"}) {
    const Device device = find_device(name);
    const Hypothesis model = hypothesis_from_text("rtx3090-as-recorded");
    const Golden golden = golden_probes(device, model, 1);
    Rng rng(1);
    int told = 0;
    for (const Hypothesis& rival : single_axis_changes(device, model, rng)) {
      const int probes = probes_that_tell(golden.set, rival);
      EXPECT_NE(probes, 1) << name << ": " << describe(rival);
      told += probes > 1;
    }
    EXPECT_GT(told, 60) << name;
    EXPECT_EQ(golden.told_once, 0) << name;
  }
}

}  // namespace
}  // namespace cuvier
