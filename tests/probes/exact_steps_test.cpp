#include "probes/exact_steps.h"

#include <gtest/gtest.h>

#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

struct Run {
  Probe probe;
  Observation seen;
};

/// Kernel a fills the device, b waits.
Run run(const std::string& script, const std::string& steps) {
  const std::string kernel = R"({"blocks":2,"threads":32,"registers":32})";
  const Probe probe = probe_from_json(
      parse_json(R"({"name":"p","kernels":{"a":)" + kernel + R"(,"b":)" + kernel +
                     R"(},"script":[{"launch":"a"},{"launch":"b"},)" + script + "]}",
                 "probe"),
      "probe");
  const std::string a = R"({"started":{"a":{"block":[0,1],"sm":[0,1]}}},)";
  return {probe, observation_from_json(parse_json(R"({"steps":[)" + a + steps + "]}", "run"), probe,
                                       samples::device(), "run")};
}

int exact(const std::string& script, const std::string& steps) {
  const Run followed = run(script, steps);
  return exact_steps(followed.seen, followed.probe);
}

bool unknown(const std::string& script, const std::string& steps) {
  const Run followed = run(script, steps);
  return leaves_unknown(followed.seen, followed.probe);
}

const std::string none = R"({"started":{}})";
const std::string both = R"({"started":{"b":{"block":[0,1],"sm":[0,1]}}})";
const std::string first = R"({"started":{"b":{"block":[0],"sm":[0]}}})";

TEST(ExactSteps, AreAllWhereNobodyWaits) {
  EXPECT_EQ(exact(R"({"release":["a"]})", both + "," + none), 3);
}

TEST(ExactSteps, EndWhereSeveralLeaveWhileOthersWait) {
  EXPECT_EQ(exact(R"({"release":["a"]})", none + "," + both), 2);
  EXPECT_EQ(exact(R"({"release":["a","b"]})", first + "," + none), 2);
}

TEST(ExactSteps, DoNotEndWhereOneLeaves) {
  EXPECT_EQ(exact(R"({"release":[{"kernel":"a","blocks":[1]}]})", none + "," + first), 3);
  // Of the two, one has left before.
  EXPECT_EQ(exact(R"({"release":[{"kernel":"a","blocks":[1]}]},{"release":["a"]})",
                  none + "," + first + "," + none),
            4);
  // Of the two, one does not run yet.
  EXPECT_EQ(exact(R"({"release":[{"kernel":"b","blocks":[0,1]}]})", first + "," + none), 3);
}

TEST(ExactSteps, LeaveKnownStateOnlyWhereAllAreExactAndNobodyWaits) {
  EXPECT_FALSE(unknown(R"({"release":["a"]})", both + "," + none));
  EXPECT_TRUE(unknown(R"({"release":["a"]})", none + "," + both));
  const std::string one = R"({"release":[{"kernel":"a","blocks":[1]}]})";
  const std::string second = R"({"started":{"b":{"block":[1],"sm":[0]}}})";
  EXPECT_TRUE(unknown(one, none + "," + first));
  EXPECT_FALSE(unknown(one + R"(,{"release":["a"]})", none + "," + first + "," + second));
}

}  // namespace
}  // namespace cuvier
