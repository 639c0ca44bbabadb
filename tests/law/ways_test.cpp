// How many ways hypotheses take through a recording: time and memory go with them.

#include <gtest/gtest.h>

#include "tests/law/planted.h"

namespace cuvier {
namespace {

/// What the hypothesis shows of the probe.
Recording seen(const Device& device, const Hypothesis& planted, const Probe& probe) {
  Simulator simulator(device, planted);
  return {probe, placements(simulator, probe), true, "seen"};
}

/// Leaves those that explain the recording. How many actions were taken for it, on all ways: each
/// begins and ends, too.
int actions_to_explain(VersionSpace& space, const Recording& recording) {
  int actions = 0;
  const Task task([&](const std::string&) { return ++actions > 2000 ? "too many ways" : ""; });
  space.observe(recording, task);
  return actions - 2;
}

/// Where a cluster goes has many reasons; they are not as many ways to explain it.
TEST(Ways, AreFewWhateverTheReasonsWhy) {
  const Device device = clustered_device(24);
  Assumptions clusters = between({}, {});
  for (int axis = 0; axis < kAxes; ++axis) {
    const Part part = axis_info(axis).part;
    if (part == Part::clusters) clusters.allowed[axis] = (1u << axis_size(axis)) - 1;
  }
  const Hypothesis planted =
      hypothesis_from_text("cluster_gpc=fewest_blocks,cluster_sms=fewest_blocks");
  Probe probe{"clusters", {samples::kernel("single", 3, 256)}, {{0, {}}}};
  for (const int size : {2, 4, 2}) {
    probe.kernels.push_back(samples::kernel(fmt::format("of {}", size), 3 * size, 128));
    probe.script.push_back({static_cast<int>(probe.kernels.size()) - 1, {}});
    probe.kernels.back().cluster = size;
  }
  VersionSpace space(device, clusters);
  EXPECT_LE(actions_to_explain(space, seen(device, planted, probe)), 6);  // four on one way
  EXPECT_TRUE(space.contains(planted));
  EXPECT_GT(space.count().remaining, 1);
}

/// The same of how many picks of a grid take two: what is left of a grid's end are few ways.
TEST(Ways, AreFewThroughTheEndOfAGrid) {
  const Device device = small_device(8);
  Assumptions batches = between({}, {});
  for (const int axis :
       {index_of<DispatchBatch>(), index_of<BatchMargin>(), index_of<BatchLag>()}) {
    batches.allowed[axis] = (1u << axis_size(axis)) - 1;
  }
  const Hypothesis planted = hypothesis_from_text("dispatch_batch=pair,batch_margin=7");
  const Probe probe{"grid", {samples::kernel("k", 2 * device.sms + 40, 32)}, {{0, {}}}};
  VersionSpace space(device, batches);
  EXPECT_LE(actions_to_explain(space, seen(device, planted, probe)), 12);
  EXPECT_TRUE(space.contains(planted));
}

/// What one action leaves open multiplies nothing that a later one does, once all is as it was.
TEST(Ways, AreOneAgainWhereTheyComeToTheSame) {
  const Device device = small_device(4);
  Kernel filling = samples::kernel("filling", device.sms, 1024);
  Kernel waiting = samples::kernel("waiting", 1, 1024);
  waiting.local = 1024;
  Kernel urgent = waiting;
  urgent.name = "urgent";
  urgent.priority = -2;
  filling.registers = waiting.registers = urgent.registers = 64;
  Probe probe{"full", {filling}, {{0, {}}}};
  const auto actions = [&] {
    VersionSpace space(device, Assumptions::all(device));
    return actions_to_explain(space, seen(device, {}, probe));
  };
  int before = actions();
  const int at_first = before;
  ASSERT_GT(at_first, 1000);
  for (const Kernel& more : {waiting, urgent}) {
    probe.kernels.push_back(more);
    probe.script.push_back({static_cast<int>(probe.kernels.size()) - 1, {}});
    const int now = actions();
    EXPECT_LT(now - before, at_first / 4) << more.name;
    before = now;
  }
}

}  // namespace
}  // namespace cuvier
