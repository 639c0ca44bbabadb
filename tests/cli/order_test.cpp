// In which order to launch, from outside.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/cli/cuvier_test.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

class OrderCommand : public CuvierTest {
 protected:
  OrderCommand() {
    // One of more local memory waits until the device is idle.
    folder_.write("kernels.json",
                  R"({"kernels":{"small":{"blocks":1,"threads":64,"registers":32,"block_ms":3},)"
                  R"("large":{"blocks":1,"threads":64,"registers":32,"local":64,"block_ms":3}}})");
  }
};

TEST_F(OrderCommand, TellsTheBestOfAllOrders) {
  const Json json = json_of("order kernels.json --device four.json", 0);
  EXPECT_EQ(json["verdict"], "best");
  EXPECT_EQ(json["orders_simulated"], 2);
  EXPECT_EQ(json["best"].dump(), R"({"order":["large","small"],"makespan_ms":3.0,"unfinished":0})");
  EXPECT_EQ(json["given"]["makespan_ms"], 6.0);
  EXPECT_EQ(json["recommended"]["order"], json["best"]["order"]);
  EXPECT_EQ(json["worst"]["order"], json["given"]["order"]);
  EXPECT_EQ(json["model"], "algorithm-1");
  EXPECT_THAT(json["evidence"].get<std::string>(), HasSubstr("never checked on this GPU"));
  EXPECT_EQ(json_of("order kernels.json --device rtx3090", 0)["model"], "rtx3090-as-recorded");
}

TEST_F(OrderCommand, TheModelDecides) {
  for (const char* model : {"--assume local_memory=ignored", "--model local_memory=ignored"}) {
    const Json json = json_of("order kernels.json --device four.json " + std::string(model), 0);
    EXPECT_EQ(json["best"]["order"].dump(), R"(["small","large"])");  // as good, and given
    EXPECT_EQ(json["worst"]["makespan_ms"], 3.0);
  }
}

TEST_F(OrderCommand, OfManyKernelsItIsSaidToBeAHeuristic) {
  std::string kernels;
  for (int k = 0; k < 9; ++k) {
    kernels += (k > 0 ? ",\"k" : "\"k") + std::to_string(k) + R"(":{"blocks":1,"threads":)" +
               std::to_string(32 * (k + 1)) + R"(,"registers":32,"block_ms":1})";
  }
  folder_.write("many.json", R"({"kernels":{)" + kernels + "}}");
  const Json json = json_of("order many.json --device four.json", 0);
  EXPECT_EQ(json["verdict"], "heuristic");
  EXPECT_EQ(json["orders"], 362880);
  EXPECT_THAT(json["reason"].get<std::string>(), HasSubstr("no swap"));
}

TEST_F(OrderCommand, IsUndecidedWherePlacementsAreLeftToChance) {
  folder_.write("grid.json",
                R"({"kernels":{"a":{"blocks":9999,"threads":64,"registers":32,"block_ms":3}}})");
  const Json json = json_of("order grid.json --device a100 --model a100-as-recorded", undecided);
  EXPECT_EQ(json["verdict"], "undecided");
  EXPECT_THAT(json["reason"].get<std::string>(), HasSubstr("chance"));
}

TEST_F(OrderCommand, SaysWhatItDoesWhereItTakesLong) {
  std::string kernels;
  for (int k = 0; k < 8; ++k) {
    kernels += fmt::format(R"({}"k{}":{{"blocks":{},"threads":{},"registers":32,"block_ms":{}}})",
                           k > 0 ? "," : "", k, 900 + 37 * k, 64 * (k + 1), k + 1);
  }
  folder_.write("long.json", R"({"kernels":{)" + kernels + "}}");
  const Ended ended = run_interrupted(folder_, "order long.json --device t4");
  EXPECT_EQ(ended.exit_code, ambiguous) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(" s: simulating orders: "));
  EXPECT_THAT(ended.err, HasSubstr("\ncuvier: interrupted: nothing is known yet\n"));
}

TEST_F(OrderCommand, TellsWhatIsWrongInOneLine) {
  folder_.write("empty.json", R"({"kernels":{}})");
  folder_.write("timeless.json", R"({"kernels":{"a":{"blocks":1,"threads":32,"registers":32}}})");
  folder_.write("late.json", R"({"kernels":{"a":{"blocks":1,"threads":32,"registers":32,)"
                             R"("arrival_ms":5,"block_ms":1}}})");
  for (const auto& [arguments, words] :
       {std::pair{"empty.json --device four.json", "kernels: is empty"},
        std::pair{"timeless.json --device four.json", "kernels.a.block_ms: is missing"},
        std::pair{"late.json --device four.json", "kernels.a.arrival_ms: is not for an order"},
        std::pair{"kernels.json --device five", "five"},
        std::pair{"kernels.json --device four.json --model bfs", "bfs"},
        std::pair{"kernels.json --device four.json --model bfa --assume bfa", "excludes"}}) {
    const Ended ended = run_cuvier(folder_, std::string("order ") + arguments);
    EXPECT_EQ(ended.exit_code, bad_input);
    EXPECT_THAT(ended.err, HasSubstr(words));
    EXPECT_EQ(ended.out, "");
  }
}

}  // namespace
}  // namespace cuvier
