#include "verify/left.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/samples.h"

namespace cuvier::verify {
namespace {

/// On four SMs, hypotheses that are as Algorithm 1 but for what is open.
class LeftOfFew : public ::testing::Test {
 protected:
  Left left(const std::vector<std::string>& open) const {
    Space space(device_);
    for (int axis = 0; axis < axis_count; ++axis) {
      space.restrict_to(fmt::format("{}={}", axes[axis].name, value_at(axis, 0).name), "test");
    }
    for (const std::string& assumption : open) space.restrict_to(assumption, "test");
    return Left(device_, space);
  }

  /// A block of one warp, in a session of its own.
  static Recording block_on(int sm) {
    Recording recording;
    recording.probe = {"p", {kernel()}, {{0, {}}}};
    recording.known.resize(1, std::vector<Known>(1));
    recording.known[0][0].sms = {sm};
    return recording;
  }
  static Kernel kernel() {
    Kernel kernel;
    kernel.name = "k";
    kernel.blocks = 1;
    kernel.threads = 32;
    kernel.registers = 16;
    return kernel;
  }

  const Device device_ = device_from({parse_json(samples::device_text, "device"), "device"});
};

/// Only where the cursor survives what a session opens with, it stands behind SM 0 then.
TEST_F(LeftOfFew, ASessionThatOpensTellsWhetherCursorsSurvive) {
  const Left all = left({"selection=round_robin", "cursor_reset=device_idle,kernel,never"});
  for (const auto& [sm, hypotheses] : {std::pair(0, 2), std::pair(2, 1), std::pair(1, 0)}) {
    Recording recording = block_on(sm);
    recording.opening = std::make_shared<Opening>(Opening{{kernel()}, {{0, 0, {}}}, "opening"});
    Left left = all;
    left.explain(recording);
    EXPECT_EQ(static_cast<int>(left.hypotheses()), hypotheses) << "on SM " << sm;
  }
}

TEST_F(LeftOfFew, ShowsNothingWhereWarpsWentElsewhere) {
  Recording recording = block_on(0);
  recording.known[0][0].slots.emplace().push_back({1});
  Left one = left({});
  std::vector<Step> shown;
  one.explain(recording, &shown);
  EXPECT_TRUE(one.nothing());
}

TEST_F(LeftOfFew, CountsWhatADoubleDoesNot) {
  std::vector<std::string> open;
  long expected = 1;
  for (const char* axis :
       {"priority", "queue", "local_memory", "admission", "mark", "selection", "group_selection",
        "connection", "cursor_reset", "cluster_gpc", "cluster_gpc_order", "cluster_sms"}) {
    open.push_back(fmt::format("{}={}", axis, fmt::join(numbers_below(33), ",")));
    expected *= 33;
  }
  EXPECT_EQ(static_cast<long>(left(open).hypotheses()), expected);
}

}  // namespace
}  // namespace cuvier::verify
