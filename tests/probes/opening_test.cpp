#include <gtest/gtest.h>

#include "probes/initial_observation.h"
#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;

/// Three blocks of two warps, then two of one warp.
constexpr const char* opening_text =
    R"({"type":"opening","name":"grids",)"
    R"("kernels":{"a":{"blocks":3,"threads":64,"registers":32},)"
    R"("b":{"blocks":2,"threads":32,"registers":32}},)"
    R"("script":[{"launch":"a"},{"launch":"b"}],)"
    R"("facts":[{"step":0,"kernel":"a","sm":[1,0]},{"step":0,"kernel":"a","warp_slot":[[0,1],[0,1]]},)"
    R"({"step":1,"kernel":"b","sm":[0,3]},{"step":1,"kernel":"a","sm":[2]},)"
    R"({"step":1,"kernel":"a","warp_slot":[[4,7]]}]})";

InitialObservation read_opening(const std::string& text) {
  return opening_from_json(parse_json(text, "o"), samples::device(), "o");
}

std::string fault(const std::string& from, const std::string& to) {
  return message_of([&] { read_opening(samples::with(opening_text, from, to)); });
}

TEST(InitialObservation, TellsTheLastBlockOnEachSm) {
  using Latest = InitialObservation::Latest;
  EXPECT_EQ(
      read_opening(opening_text).latest(),
      (std::vector<Latest>{{1, 0, 1}, {2, 0, 7}, {0, 1, std::nullopt}, {3, 1, std::nullopt}}));
}

TEST(InitialObservation, IsWrittenAsItIsRead) {
  const InitialObservation opening = read_opening(opening_text);
  EXPECT_EQ(to_json(opening)["type"], "opening");
  EXPECT_EQ(read_opening(to_json(opening).dump()), opening);
}

TEST(InitialObservation, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(fault(R"("sm":[0,3])", R"("sm":[0])"),
            "o: says of 1 of the 2 blocks of \"b\" on which SM they went; an opening must of each");
  EXPECT_EQ(fault(R"("sm":[2])", R"("started":1)"),
            "o: says of 2 of the 3 blocks of \"a\" on which SM they went; an opening must of each");
  EXPECT_EQ(fault(R"("blocks":2)", R"("blocks":3)"),
            "o: says of 2 of the 3 blocks of \"b\" on which SM they went; an opening must of each");
  EXPECT_EQ(fault(R"([{"launch":"a"},{"launch":"b"}])",
                  R"([{"launch":"a"},{"launch":"b"},{"release":["a"]}])"),
            "o: its script must only launch kernels, since it is an opening");
  EXPECT_EQ(fault(R"([[0,1],[0,1]])", R"([[0,1]])"),
            "o: warp_slot has 1 entries for 2 blocks of \"a\"");
  EXPECT_EQ(fault(R"("opening")", R"("recording")"), "o: type: must be \"opening\"");
  EXPECT_EQ(fault(R"("sm":[0,3])", R"("sm":[0,4])"),
            "o: facts[2].sm[1]: 4 is too large; at most 3");
  EXPECT_EQ(fault(R"("registers":32)", R"("registers":300)"),
            "o: kernels.a.registers: 300 is over the device's 255");
}

}  // namespace
}  // namespace cuvier
