#include <gmock/gmock.h>

#include <functional>

#include "hypotheses/devices.h"
#include "hypotheses/scheduler/wait.h"
#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Four SMs of 16 block slots, 48 warps and 64 K registers each.
class WaitsTest : public ::testing::Test {
 protected:
  /// What waits after the last action, under Algorithm 1 but for these values.
  std::vector<Wait> at_end(
      const std::string& kernels, const std::string& script,
      const std::function<void(Hypothesis&)>& change = [](Hypothesis&) {}) {
    Hypothesis hypothesis;
    change(hypothesis);
    const Probe probe = probe_from_json(
        parse_json(R"({"name":"p","kernels":{)" + kernels + R"(},"script":[)" + script + "]}", "p"),
        "p");
    validate(probe, device_, "p");
    return waits(device_, hypothesis, probe).back();
  }

  Device device_ = samples::device();
};

constexpr const char* launch_both = R"({"launch":"a"},{"launch":"b"})";

TEST_F(WaitsTest, NothingWaitsWhereAllIsPlaced) {
  EXPECT_THAT(at_end(R"("a":{"blocks":4,"threads":32,"registers":32})", R"({"launch":"a"})"),
              IsEmpty());
}

TEST_F(WaitsTest, ForAnEarlierKernelOfItsStream) {
  const auto waits = at_end(R"("a":{"blocks":1,"threads":32,"registers":32,"stream":"s"},)"
                            R"("b":{"blocks":3,"threads":32,"registers":32,"stream":"s"})",
                            launch_both);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].what, Wait::For::stream);
  EXPECT_EQ(waits[0].kernel, 1);
  EXPECT_EQ(waits[0].blocks, 3);
  EXPECT_EQ(waits[0].behind, 0);
}

TEST_F(WaitsTest, ForALaunchBeforeItOnItsConnection) {
  const auto waiting = [&](const std::string& connection) {
    return at_end(R"("a":{"blocks":1,"threads":32,"registers":32,"stream":"s"},)"
                  R"("b":{"blocks":3,"threads":32,"registers":32,"stream":"s"},)"
                  R"("c":{"blocks":2,"threads":32,"registers":32,"stream":"t"})",
                  R"({"launch":"a"},{"launch":"b"},{"launch":"c"})", [&](Hypothesis& h) {
                    h = h.with(index_of<Connection>(),
                               formula_value(index_of<Connection>(), connection));
                  });
  };
  const auto on_one = waiting("stream mod 1");
  ASSERT_EQ(on_one.size(), 2u);
  EXPECT_EQ(on_one[0].what, Wait::For::stream);
  EXPECT_EQ(on_one[1].what, Wait::For::connection);
  EXPECT_EQ(on_one[1].kernel, 2);
  EXPECT_EQ(on_one[1].behind, 1);
  EXPECT_EQ(waiting("stream mod 2").size(), 1u);
}

TEST_F(WaitsTest, ForRoomAndForTheHeadThatWaitsForIt) {
  const auto waits = at_end(R"("a":{"blocks":5,"threads":1024,"registers":32},)"
                            R"("b":{"blocks":1,"threads":32,"registers":32})",
                            launch_both);
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(waits[0].what, Wait::For::room);
  ASSERT_EQ(waits[0].sms.size(), 1u);
  EXPECT_THAT(waits[0].sms[0].sms, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(waits[0].sms[0].obstacles, ElementsAre(Obstacle::warp_slots));
  EXPECT_EQ(waits[1].what, Wait::For::head_of_queue);
  EXPECT_EQ(waits[1].behind, 0);
}

TEST_F(WaitsTest, ASkippedKernelIsNotWaitedFor) {
  const auto waits = at_end(R"("a":{"blocks":5,"threads":1024,"registers":32},)"
                            R"("b":{"blocks":1,"threads":512,"registers":32})",
                            launch_both, [](Hypothesis& h) { h.set<Queue>(Queue::skip_ahead); });
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].kernel, 0);
}

TEST_F(WaitsTest, ForLocalMemoryUntilTheDeviceIsIdle) {
  const auto waits = at_end(R"("a":{"blocks":1,"threads":32,"registers":32,"local":16},)"
                            R"("b":{"blocks":1,"threads":32,"registers":32,"local":64})",
                            launch_both);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].what, Wait::For::local_memory);
  EXPECT_EQ(waits[0].local, 16);
}

TEST_F(WaitsTest, ForACarveOutThatAnotherKernelChose) {
  // b prefers all 100 KiB; a's blocks, on three SMs, are content with 8, and 7 are free there.
  const auto waits = at_end(R"("a":{"blocks":3,"threads":256,"registers":32},)"
                            R"("b":{"blocks":9,"threads":256,"registers":32,"shared":4096})",
                            launch_both);
  ASSERT_EQ(waits.size(), 1u);
  ASSERT_EQ(waits[0].sms.size(), 1u);
  const Refusal& refusal = waits[0].sms[0];
  EXPECT_THAT(refusal.sms, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(refusal.obstacles, ElementsAre(Obstacle::carve_out));
  EXPECT_EQ(refusal.carve_out, 8192);
  EXPECT_EQ(refusal.prefers, 102400);
  EXPECT_EQ(refusal.set_by, 0);
}

TEST_F(WaitsTest, ForSpaceWhereOnlyThatCounts) {
  const auto waits =
      at_end(R"("a":{"blocks":4,"threads":256,"registers":32},)"
             R"("b":{"blocks":1,"threads":256,"registers":32,"shared":20480})",
             launch_both, [](Hypothesis& h) { h.set<ConfigGate>(ConfigGate::space_only); });
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_THAT(waits[0].sms[0].obstacles, ElementsAre(Obstacle::small_carve_out));
}

TEST_F(WaitsTest, ForWarpSlotsOfASubpartition) {
  // Blocks of one warp all begin on subpartition 0 and fill its 12 slots.
  const auto waits =
      at_end(R"("a":{"blocks":49,"threads":32,"registers":32})", R"({"launch":"a"})",
             [](Hypothesis& h) { h.set<WarpPlacement>(WarpPlacement::fixed_start); });
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_THAT(waits[0].sms[0].obstacles, ElementsAre(Obstacle::warp_slots_of_subpartition));
}

TEST_F(WaitsTest, ForBlockSlotsRegistersAndSharedMemory) {
  const auto obstacles = [&](const std::string& kernel) {
    const auto waits = at_end(R"("a":)" + kernel, R"({"launch":"a"})");
    return waits.at(0).sms.at(0).obstacles;
  };
  EXPECT_THAT(obstacles(R"({"blocks":65,"threads":32,"registers":32})"),
              ElementsAre(Obstacle::block_slots));
  EXPECT_THAT(obstacles(R"({"blocks":9,"threads":512,"registers":64})"),
              ElementsAre(Obstacle::registers));
  EXPECT_THAT(obstacles(R"({"blocks":9,"threads":32,"registers":32,"shared":51200})"),
              ElementsAre(Obstacle::shared_memory));
}

TEST_F(WaitsTest, ForARuleThatRefusesWhatFits) {
  const int rule = formula_value(index_of<Admission>(), "blocks < 2");
  const auto waits = at_end(
      R"("a":{"blocks":9,"threads":32,"registers":32})", R"({"launch":"a"})",
      [&](Hypothesis& h) { h.values[index_of<Admission>()] = static_cast<std::uint8_t>(rule); });
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].blocks, 1);
  EXPECT_THAT(waits[0].sms[0].obstacles, ElementsAre(Obstacle::rule));
}

TEST_F(WaitsTest, ForSharedMemoryInOnePiece) {
  // 25 of 101 KiB four times, then the first and the third leave: 50 KiB are free, in two pieces.
  const std::string kernels = R"("a":{"blocks":16,"threads":32,"registers":32,"shared":24576},)"
                              R"("b":{"blocks":1,"threads":32,"registers":32,"shared":40960})";
  const std::string script =
      R"({"launch":"a"},{"release":[{"kernel":"a","blocks":[0,1,2,3,8,9,10,11]}]},{"launch":"b"})";
  const auto whole = at_end(kernels, script);
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_THAT(whole[0].sms[0].obstacles, ElementsAre(Obstacle::shared_memory_in_pieces));
  EXPECT_THAT(at_end(kernels, script,
                     [](Hypothesis& h) { h.set<SharedPlacement>(SharedPlacement::fragmented); }),
              IsEmpty());
}

TEST_F(WaitsTest, ForTheSmWhoseTurnItIs) {
  // The cursor goes 0, 2, 1, 3 and then stands at 0, which is full; 2 is free again.
  const auto waits = at_end(
      R"("a":{"blocks":3,"threads":1024,"registers":32},"b":{"blocks":1,"threads":32,)"
      R"("registers":32},"c":{"blocks":1,"threads":1024,"registers":32})",
      R"({"launch":"a"},{"launch":"b"},{"release":[{"kernel":"a","blocks":[1]}]},{"launch":"c"})",
      [](Hypothesis& h) { h.set<Selection>(Selection::sticky_round_robin); });
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].what, Wait::For::turn);
}

TEST_F(WaitsTest, ForSmsOfOneGpc) {
  device_.max_cluster = 4;
  device_.gpc_of_sm = {0, 0, 1, 1};
  const auto waits =
      at_end(R"("a":{"blocks":2,"threads":1024,"registers":32},)"
             R"("b":{"blocks":2,"threads":1024,"registers":32,"cluster":2})",
             launch_both, [](Hypothesis& h) { h.set<TieBreak>(TieBreak::tpc_interleaved); });
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].what, Wait::For::cluster);
}

}  // namespace
}  // namespace cuvier
