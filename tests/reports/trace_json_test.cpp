#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "reports/placements/placements_report.h"
#include "tests/samples.h"
#include "uses/simulate/simtbs.h"

namespace cuvier {
namespace {

using Json = nlohmann::ordered_json;

class TraceJson : public ::testing::Test {
 protected:
  TraceJson() {
    const Probe probe = samples::probe();
    RecordingSet set{"a test", samples::device(), {}};
    set.recordings.push_back({probe, facts_of(samples::observation(), probe), true, {}});
    set.recordings.push_back(set.recordings.front());
    events_ = trace_json(set)["traceEvents"];
  }

  std::vector<Json> of_phase(const std::string& phase) const {
    std::vector<Json> found;
    for (const Json& event : events_) {
      if (event["ph"] == phase) found.push_back(event);
    }
    return found;
  }

  Json events_;
};

TEST_F(TraceJson, HasASliceForEachBlockFromItsStartToItsRelease) {
  std::map<std::string, Json> slices;
  for (const Json& slice : of_phase("X")) slices.try_emplace(slice["name"], slice);
  // Of k2 four, of k1 two, of k3 none; and the probe.
  EXPECT_EQ(slices.size(), 7U);
  EXPECT_EQ(slices["k2[1]"]["ts"], 0);
  EXPECT_EQ(slices["k2[1]"]["dur"], 2000);
  EXPECT_EQ(slices["k2[1]"]["args"]["sm"], 2);
  EXPECT_EQ(slices["k1[1]"]["ts"], 2000);
  EXPECT_EQ(slices["k1[1]"]["dur"], 1000);
  EXPECT_EQ(slices["k1[0]"]["dur"], 4000);  // never released: to the end
  EXPECT_EQ(slices["sample"]["dur"], 5000);
}

TEST_F(TraceJson, TellsTheHostsActions) {
  std::vector<std::string> actions;
  for (const Json& instant : of_phase("i")) actions.push_back(instant["name"]);
  ASSERT_EQ(actions.size(), 10U);
  EXPECT_EQ(actions[0], "launch k2");
}

/// Slices of one track must not overlap.
TEST_F(TraceJson, GivesBlocksThatAreResidentTogetherTracksOfTheirOwn) {
  std::map<std::pair<int, int>, std::int64_t> busy_until;
  for (const Json& slice : of_phase("X")) {
    if (slice["pid"] == 0) continue;
    std::int64_t& until = busy_until[{slice["pid"], slice["tid"]}];
    EXPECT_GE(slice["ts"].get<std::int64_t>(), until) << slice;
    until = slice["ts"].get<std::int64_t>() + slice["dur"].get<std::int64_t>();
  }
  std::size_t named = 0;
  for (const Json& name : of_phase("M")) {
    named += name["name"] == "thread_name" && name["pid"] != 0;
  }
  EXPECT_EQ(named, busy_until.size());
}

TEST(NumberedStarts, EndWhereItIsNotToldWhereBlocksStart) {
  using Kind = Fact::Kind;
  const Probe probe{"p",
                    {samples::kernel("k", 4, 32), samples::kernel("l", 4, 32)},
                    {samples::launch(0), samples::launch(1)}};
  const Fact counted{Kind::started, 0, 0, {3}, {}};
  const Fact fourth{Kind::sm, 1, 0, {1}, {}};
  const Fact first_two{Kind::sm, 1, 1, {0, 2}, {}};
  const Fact how_many{Kind::started, 1, 1, {2}, {}};
  const RecordingSet set{
      "a test", samples::device(), {{probe, {how_many, fourth, first_two, counted}, true, {}}}};
  EXPECT_THAT(numbered_starts(set.recordings.front()), ::testing::ElementsAre(first_two));
  EXPECT_EQ(placements_csv(set), "probe,step,kernel,block,sm\np,1,l,0,0\np,1,l,1,2\n");
  std::vector<std::string> blocks;
  const Json json = trace_json(set);
  for (const Json& event : json["traceEvents"]) {
    if (event["ph"] == "X" && event["pid"] != 0) blocks.push_back(event["name"]);
  }
  EXPECT_THAT(blocks, ::testing::ElementsAre("l[0]", "l[1]"));
}

TEST(SimulationTrace, IsInItsOwnTime) {
  const Device device = plain_device("two", 2, 8);
  Job a{samples::kernel("a", 3, 32 * 8), 0, 10};
  Job b{samples::kernel("b", 1, 32 * 8), 2.5, 4};
  a.kernel.registers = b.kernel.registers = 16;
  Trace trace;
  simulate(device, plain_hypothesis("bfa"), {{a, b}}, kNoHorizon, &trace);
  std::map<std::string, Json> slices;
  const Json json = trace_json(device, trace);
  for (const Json& event : json["traceEvents"]) {
    if (event["ph"] == "X") slices[event["name"]] = event;
  }
  EXPECT_EQ(slices["a[2]"]["ts"], 10'000);
  EXPECT_EQ(slices["a[2]"]["dur"], 10'000);
  EXPECT_EQ(slices["b[0]"]["ts"], 10'000);
  EXPECT_EQ(slices["b[0]"]["dur"], 4'000);
  EXPECT_EQ(slices["workload"]["dur"], 20'000);
  EXPECT_EQ(slices.size(), 5U);
}

}  // namespace
}  // namespace cuvier
