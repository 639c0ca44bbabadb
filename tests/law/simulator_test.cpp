// What holds of the simulator whatever it simulates.

#include <gtest/gtest.h>

#include "tests/law/planted.h"

namespace cuvier {
namespace {

class Simulators : public ::testing::Test {
 protected:
  /// A simulator of a random hypothesis that has some probes behind it.
  Simulator used_simulator() {
    Simulator simulator(device_, random_hypothesis(device_, rng_));
    for (int i = 0; i < 3; ++i) simulator.run(random_probe(device_, rng_));
    return simulator;
  }

  const Device device_ = small_device(8);
  Rng rng_{1};
};

TEST_F(Simulators, PreviewShowsWhatRunWillAndChangesNothing) {
  for (int point = 0; point < 1000; ++point) {
    Simulator simulator = used_simulator();
    const Probe probe = random_probe(device_, rng_);
    const Observation previewed = simulator.preview(probe);
    simulator.preview(random_probe(device_, rng_));
    ASSERT_EQ(simulator.run(probe), previewed) << describe(simulator.hypothesis());
  }
}

TEST_F(Simulators, CopiesHaveTheSameStateAndAreIndependent) {
  for (int point = 0; point < 1000; ++point) {
    Simulator original = used_simulator();
    Simulator copy = original;
    const Probe probe = random_probe(device_, rng_);
    const Observation expected = original.preview(probe);
    copy.run(random_probe(device_, rng_));
    ASSERT_EQ(original.run(probe), expected) << describe(original.hypothesis());
    Simulator second = original;
    ASSERT_EQ(second.run(probe), original.run(probe)) << describe(original.hypothesis());
  }
}

TEST_F(Simulators, NothingOutlivesAProbeWhereEverythingIsReset) {
  for (int point = 0; point < 1000; ++point) {
    Hypothesis hypothesis = random_hypothesis(device_, rng_);
    if (hypothesis.get<CursorReset>() == CursorReset::never) continue;
    if (hypothesis.get<PointerReset>() == PointerReset::never) continue;
    if (hypothesis.get<LocalMemory>() == LocalMemory::grow_when_idle) continue;
    Simulator session(device_, hypothesis);
    for (int i = 0; i < 5; ++i) {
      const Probe probe = random_probe(device_, rng_);
      ASSERT_EQ(session.run(probe), predict(device_, hypothesis, probe)) << describe(hypothesis);
    }
  }
}

}  // namespace
}  // namespace cuvier
