#include "hypotheses/assumptions.h"

#include <gmock/gmock.h>

#include <bit>
#include <set>

#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

Device with_gpcs() {
  Device device = samples::device();
  device.gpc_of_sm = {0, 0, 1, 1};
  return device;
}

std::string restricted_by(const std::vector<std::string>& texts) {
  return message_of([&] {
    Assumptions assumptions = Assumptions::all(samples::device());
    for (const std::string& text : texts) assumptions.restrict_by(text);
  });
}

int allowed_values(const Assumptions& assumptions, int axis) {
  return std::popcount(assumptions.allowed[axis]);
}

TEST(Assumptions, RestrictionsSayWhatTheyWereRestrictedBy) {
  Assumptions assumptions = Assumptions::all(samples::device());
  EXPECT_TRUE(assumptions.restrictions(samples::device()).empty());
  for (const char* text : {"queue=fifo", "batch_lag=1,2"}) assumptions.restrict_by(text);
  EXPECT_EQ(assumptions.restrictions(samples::device()),
            (std::vector<std::string>{"queue=fifo", "batch_lag=1,2"}));
}

TEST(Assumptions, AllIsWhatTheDevicesFactsPermit) {
  const int tie_break = index_of<TieBreak>();
  const auto without = Assumptions::all(samples::device());
  const auto with = Assumptions::all(with_gpcs());
  EXPECT_FALSE(without.allows(tie_break, TieBreak::gpc_major));
  EXPECT_TRUE(with.allows(tie_break, TieBreak::gpc_major));
  EXPECT_EQ(allowed_values(with, tie_break), axis_size(tie_break));
  EXPECT_EQ(allowed_values(without, index_of<Hierarchy>()), 2);
}

TEST(Assumptions, OfClustersAreNotWhereNoneIsLaunched) {
  Device device = find_device("h200");
  const int axis = index_of<ClusterLimit>();
  EXPECT_TRUE(Assumptions::all(device).allows(axis, ClusterLimit::eight));
  device.max_cluster = 0;
  EXPECT_FALSE(Assumptions::all(device).allows(axis, ClusterLimit::eight));
}

TEST(Assumptions, AnAxisNarrowsToTheValuesGiven) {
  auto assumptions = Assumptions::all(samples::device());
  assumptions.restrict_by("selection=most_room,first_fit");
  EXPECT_EQ(assumptions.allowed[index_of<Selection>()],
            one_of(Selection::most_room, Selection::first_fit));
  EXPECT_EQ(allowed_values(assumptions, index_of<Queue>()), 2);
  EXPECT_FALSE(assumptions.single());

  assumptions.restrict_by("selection=first_fit,queue=fifo,batch_margin=4,0");
  EXPECT_EQ(allowed_values(assumptions, index_of<Selection>()), 1);
  EXPECT_EQ(allowed_values(assumptions, index_of<Queue>()), 1);
  EXPECT_EQ(allowed_values(assumptions, index_of<BatchMargin>()), 2);
}

TEST(Assumptions, ANameFixesEveryAxis) {
  Device device = with_gpcs();
  device.max_cluster = 2;
  for (const NamedHypothesis& named : named_hypotheses()) {
    auto assumptions = Assumptions::all(device);
    assumptions.restrict_by(std::string(named.name));
    EXPECT_EQ(assumptions.single(), named.hypothesis) << named.name;
  }
}

TEST(Assumptions, WhatIsUnknownIsToldWhatThereIs) {
  EXPECT_THAT(restricted_by({"colour=red"}),
              AllOf(HasSubstr("no axis is called \"colour\""), HasSubstr("tie_break")));
  EXPECT_THAT(
      restricted_by({"queue=lifo"}),
      HasSubstr("queue has no value \"lifo\" (did you mean fifo?); it has fifo, skip_ahead"));
  EXPECT_THAT(restricted_by({"algorithm-2"}),
              AllOf(HasSubstr("no hypothesis is called \"algorithm-2\""), HasSubstr("gpgpu-sim")));
  EXPECT_THAT(restricted_by({""}), HasSubstr("no hypothesis is called \"\""));
  EXPECT_THAT(restricted_by({"queue="}), HasSubstr("queue has no value \"\""));
}

TEST(Assumptions, ThatLeaveNothingAreRefused) {
  EXPECT_EQ(restricted_by({"tie_break=gpc_major"}),
            "tie_break=gpc_major needs gpc_of_sm, which the device does not give: use a device "
            "file that has it");
  EXPECT_EQ(restricted_by({"tie_break=gpc_major,linear"}), "no error");
  EXPECT_EQ(restricted_by({"queue=fifo", "queue=skip_ahead"}),
            "queue=skip_ahead leaves nothing: queue is already assumed to be fifo");
  EXPECT_THAT(restricted_by({"bfa", "dfa"}),
              HasSubstr("selection=most_warps leaves nothing: selection is already assumed to be "
                        "fewest_warps"));
}

TEST(NamedHypotheses, AreDistinctAndSayWhereTheyComeFrom) {
  EXPECT_EQ(named_hypotheses()[0].hypothesis, Hypothesis{});
  std::set<std::string> descriptions;
  for (const NamedHypothesis& named : named_hypotheses()) {
    SCOPED_TRACE(named.name);
    EXPECT_FALSE(named.meaning.empty());
    EXPECT_FALSE(named.source.empty());
    EXPECT_TRUE(descriptions.insert(describe(named.hypothesis)).second);
    EXPECT_EQ(canonical(named.hypothesis), named.hypothesis) << "an axis has no effect";
    EXPECT_EQ(predict(with_gpcs(), named.hypothesis, samples::probe()).steps.size(), 5U);
  }
}

TEST(Hypothesis, IsReadFromText) {
  Hypothesis expected;
  EXPECT_EQ(hypothesis_from_text("algorithm-1"), expected);
  expected.set<Selection>(Selection::fewest_warps);
  EXPECT_EQ(hypothesis_from_text("bfa"), expected);
  EXPECT_EQ(hypothesis_from_text("selection=fewest_warps"), expected);
  expected.set<TieBreak>(TieBreak::linear);
  EXPECT_EQ(hypothesis_from_text("bfa,tie_break=linear"), expected);
  EXPECT_EQ(hypothesis_from_text(describe(expected)), expected);
}

TEST(Hypothesis, TextThatIsNoneIsRefused) {
  const auto message = [](const std::string& text) {
    return message_of([&] { hypothesis_from_text(text); });
  };
  EXPECT_EQ(message("queue=fifo,skip_ahead"),
            "queue is given two values, fifo and skip_ahead; one hypothesis has one");
  EXPECT_EQ(message("queue=fifo,queue=skip_ahead"), message("queue=fifo,skip_ahead"));
  EXPECT_EQ(message("tie_break=linear,bfa"), "bfa fixes every axis: write it before all else");
  EXPECT_EQ(message("bfa,dfa"), "dfa fixes every axis: write it before all else");
  EXPECT_THAT(message("queue=fifo,quick"), HasSubstr("no hypothesis is called \"quick\""));
}

TEST(Hypothesis, IsNoAxis) {
  EXPECT_EQ(message_of([] { hypothesis_from_text("selection"); }),
            "\"selection\" is an axis, not a hypothesis; write selection=VALUE");
}

TEST(Hypothesis, SurvivesJson) {
  for (const NamedHypothesis& named : named_hypotheses()) {
    EXPECT_EQ(hypothesis_from_json(to_json(named.hypothesis), "model.json"), named.hypothesis);
  }
  EXPECT_EQ(to_json(Hypothesis{}).size(), static_cast<std::size_t>(kAxes));
}

TEST(Hypothesis, JsonMayLeaveAxesOutAndUseNumbers) {
  const auto json = parse_json(R"({"register_granularity":512,"queue":"skip_ahead"})", "m");
  Hypothesis expected;
  expected.set<RegisterGranularity>(RegisterGranularity::r512);
  expected.set<Queue>(Queue::skip_ahead);
  EXPECT_EQ(hypothesis_from_json(json, "m"), expected);
}

TEST(Hypothesis, JsonErrorsNameFileAndField) {
  const auto message = [](const std::string& text) {
    return message_of(
        [&] { hypothesis_from_json(parse_json(text, "m.json"), "m.json", "mechanism"); });
  };
  EXPECT_THAT(message(R"({"colour":"red"})"), HasSubstr("m.json: mechanism.colour: is no axis"));
  EXPECT_EQ(message(R"({"queue":"lifo"})"),
            "m.json: mechanism.queue: has no value \"lifo\" (did you mean fifo?); it has fifo, "
            "skip_ahead, or a formula");
  EXPECT_EQ(message(R"({"queue":[]})"), "m.json: mechanism.queue: must be a string, not an array");
  EXPECT_EQ(message("[]"), "m.json: mechanism: must be an object, not an array");
}

}  // namespace
}  // namespace cuvier
