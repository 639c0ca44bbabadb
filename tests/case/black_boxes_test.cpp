// What simulators that others wrote answered, live (docs/results/black-boxes.md): the findings,
// without the simulators.

#include <gmock/gmock.h>

#include "solver/check/check.h"
#include "solver/finding/mismatches.h"

namespace cuvier {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

RecordingSet answers(const std::string& file) {
  return read_recordings(CUVIER_SOURCE_DIR "/docs/results/black-boxes/" + file);
}

/// What has no part in it: they have one queue, and an SM has what it has in all.
Hypothesis simulator_with(const std::string& rest) {
  return hypothesis_from_text(
      "local_memory=ignored,tie_break=linear,warp_placement=skip_full,register_pool=per_sm,"
      "runtime_shared=0,config_scope=none,config_gate=space_only,shared_placement=fragmented," +
      rest + (rest.find("priority=") == rest.npos ? ",priority=ignored" : ""));
}

const std::string kAccelSim =
    "selection=round_robin,cursor_reset=never,"
    "register_granularity=(registers * 32 + 127) / 128 * 128,shared_granularity=bytes";
/// The kernel that was tried last goes on; then comes the next slot of kernels.
const std::string kBySlots = ",priority=(head > 0 ? 0 : 1, turn)";

/// With one kernel on an SM, a kernel is tried where an SM is empty: who was served last goes on.
const std::string kOnceServed = ",priority=(streak > 0 ? 0 : 1, turn)";
/// A block needs a row of warp slots.
const std::string kInRows = ",warp_layout=w";

Verdict verdict_on(const std::string& file) {
  const RecordingSet set = answers(file);
  return check({set}, Assumptions::all(set.device), {}).verdict;
}

struct Explained {
  std::string file;
  std::string rest;
};

class BlackBox : public ::testing::TestWithParam<Explained> {};

TEST_P(BlackBox, DoesWhatItsSourceSays) {
  const RecordingSet set = answers(GetParam().file);
  ASSERT_GE(set.recordings.size(), 40u);
  EXPECT_THAT(mismatches(set, simulator_with(GetParam().rest)), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    , BlackBox,
    ::testing::Values(
        Explained{"accel-sim/qv100.jsonl", kAccelSim},
        Explained{"accel-sim/rtx3070.jsonl", kAccelSim},
        Explained{"accel-sim/qv100.jsonl", kAccelSim + kBySlots + kInRows},
        Explained{"accel-sim/rtx3070.jsonl", kAccelSim + kBySlots + kInRows},
        Explained{"multi2sim/random.jsonl", "selection=round_robin,cursor_reset=never"},
        Explained{"simtbs/rr.jsonl", "selection=sticky_round_robin,cursor_reset=never"},
        Explained{"simtbs/rrf.jsonl", "selection=next_fit,cursor_reset=never"},
        Explained{"simtbs/bfa.jsonl", "selection=fewest_warps"},
        Explained{"simtbs/dfa.jsonl", "selection=most_warps"}));

TEST(AccelSim, RoundsRegistersAsNoHypothesisDoesAndAFormulaSays) {
  const std::string file = "accel-sim/qv100-registers.jsonl";
  EXPECT_EQ(verdict_on(file), Verdict::refuted);
  EXPECT_THAT(mismatches(answers(file), simulator_with(kAccelSim)), IsEmpty());
}

TEST(AccelSim, BeginsABlockAtAMultipleOfItsWarpsAsAFormulaSays) {
  const std::string file = "accel-sim/qv100-places.jsonl";
  EXPECT_EQ(verdict_on(file), Verdict::refuted);
  EXPECT_THAT(mismatches(answers(file), simulator_with(kAccelSim)), Not(IsEmpty()));
  EXPECT_THAT(mismatches(answers(file), simulator_with(kAccelSim + kInRows)), IsEmpty());
}

/// Two kernels wait: the later one takes the slot behind that of the kernel before them, and goes
/// first. Not where the other was tried in vain before it came.
TEST(AccelSim, TakesKernelsByTheirSlots) {
  const auto wrong_in = [](const std::string& file, const std::string& order) {
    return mismatches(answers("accel-sim/" + file), simulator_with(kAccelSim + order));
  };
  const std::string slots = "qv100-slots.jsonl";
  const std::string head = "qv100-head.jsonl";
  EXPECT_THAT(wrong_in(slots, kBySlots), IsEmpty());
  EXPECT_THAT(wrong_in(slots, ""), Not(IsEmpty()));
  EXPECT_THAT(wrong_in(head, kBySlots), IsEmpty());
  EXPECT_THAT(wrong_in(head, kOnceServed), Not(IsEmpty()));
}

/// An SM is given another kernel once it is empty, and takes its share of the grid.
TEST(AccelSim, WithOneKernelOnAnSmIsNoHypothesisAndAFormulaSays) {
  const std::string share = ",admission=kernels == 0 and own < (grid + sms - 1) / sms";
  for (const std::string gpu : {"qv100", "rtx3070"}) {
    SCOPED_TRACE(gpu);
    const std::string file = "accel-sim/" + gpu + "-one-kernel.jsonl";
    EXPECT_EQ(verdict_on(file), Verdict::refuted);
    EXPECT_THAT(
        mismatches(answers(file), simulator_with(kAccelSim + kOnceServed + kInRows + share)),
        IsEmpty());
  }
}

/// A compute unit that was full comes last once something leaves it: 3 to 31, 2, 0, 1.
TEST(Multi2Sim, KeepsAQueueOfUnitsAsNoHypothesisDoes) {
  EXPECT_EQ(verdict_on("multi2sim/southern-islands.jsonl"), Verdict::refuted);
  EXPECT_THAT(mismatches(answers("multi2sim/queue.jsonl"),
                         simulator_with("selection=round_robin,cursor_reset=never")),
              Not(IsEmpty()));
}

/// Three work-groups leave a compute unit that was full, and it is given one.
TEST(Multi2Sim, FillsOneSlotForEachReleaseThatItSees) {
  EXPECT_THAT(mismatches(answers("multi2sim/slots.jsonl"),
                         simulator_with("selection=round_robin,cursor_reset=never")),
              Not(IsEmpty()));
}

}  // namespace
}  // namespace cuvier
