#include <gmock/gmock.h>

#include <filesystem>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulated_oracle.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "tests/samples.h"
#include "uses/fleet/fleet_folder.h"
#include "uses/fleet/fleet_summary.h"
#include "uses/fleet/telling_probes.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Eight SMs, with this map.
Device die(const std::vector<int>& gpc_of_sm) {
  Device device = samples::device();
  device.name = "a product";
  device.sms = 8;
  device.max_cluster = 4;
  device.gpc_of_sm = gpc_of_sm;
  return device;
}

GpuResult gpu_that_is_done(const std::string& id, const Device& device,
                           const std::string& mechanism) {
  GpuResult gpu;
  gpu.id = id;
  gpu.host = "n1";
  gpu.oracle = "test";
  gpu.device = device;
  gpu.stage = FleetStage::done;
  gpu.seconds = 2;
  gpu.run_ms = 1;
  gpu.verdict = as_the_model;
  gpu.mechanism = hypothesis_from_text(mechanism);
  return gpu;
}

class Fleet : public ::testing::Test {
 protected:
  Fleet() { submit({{"n1", 4}, {"n2", 2}}); }

  void submit(const std::vector<FleetNode>& nodes) { fleet_.submit({"test", nodes, {}}); }

  void add(const GpuResult& gpu) {
    std::filesystem::create_directories(fleet_.gpu(gpu.id));
    folder_.write("gpus/" + gpu.id + "/gpu.json", to_json(gpu).dump());
    fleet_.note_reached(gpu.host, gpu.id);
  }

  samples::Folder folder_;
  FleetFolder fleet_{folder_.path("")};
};

TEST_F(Fleet, GpusAreOfOneMapWhateverItsGpcsAreCalled) {
  add(gpu_that_is_done("a", die({0, 0, 1, 1, 0, 0, 1, 1}), "algorithm-1"));
  add(gpu_that_is_done("b", die({3, 3, 2, 2, 3, 3, 2, 2}), "algorithm-1"));
  add(gpu_that_is_done("c", die({0, 0, 1, 1, 0, 0, 0, 0}), "algorithm-1"));
  const FleetSummary summary = summary_of(fleet_, {});
  EXPECT_EQ(summary.gpus, 3);
  ASSERT_THAT(summary.maps, SizeIs(2));
  EXPECT_THAT(summary.maps[0].gpus, ElementsAre("a", "b"));
  EXPECT_THAT(summary.maps[1].gpus, ElementsAre("c"));
  ASSERT_THAT(summary.mechanisms, SizeIs(1));
  EXPECT_THAT(summary.mechanisms[0].gpus, ElementsAre("a", "b", "c"));
}

TEST_F(Fleet, ClustersAreCountedOnTheWorstAndOnTheBest) {
  add(gpu_that_is_done("a", die({0, 0, 1, 1, 0, 0, 1, 1}), "algorithm-1"));
  add(gpu_that_is_done("b", die({0, 0, 1, 1, 0, 0, 0, 0}), "algorithm-1"));
  add(gpu_that_is_done("c", die({0, 0, 1, 1, 0, 0, 0, 0}), "algorithm-1"));
  const FleetSummary summary = summary_of(fleet_, {});
  ASSERT_THAT(summary.clusters, SizeIs(4));  // of 1 to 4 blocks
  const FleetClusters& of_4 = summary.clusters[3];
  EXPECT_EQ(of_4.blocks, 4);
  EXPECT_EQ(of_4.most(), 2);
  EXPECT_EQ(of_4.least(), 1);
  EXPECT_EQ(of_4.median(), 1);
  EXPECT_EQ(of_4.worst, "b");
  EXPECT_THAT(summary.maps[0].clusters[3].idle_sms, SizeIs(4));
}

TEST_F(Fleet, AProbeTellsEachTwoMechanismsApart) {
  const Device device = die({0, 0, 1, 1, 0, 0, 1, 1});
  add(gpu_that_is_done("a", device, "algorithm-1"));
  add(gpu_that_is_done("b", device, "selection=first_fit"));
  FleetSummary summary = summary_of(fleet_, {});
  ASSERT_THAT(summary.mechanisms, SizeIs(2));
  find_differences(summary, {});
  ASSERT_THAT(summary.differences, SizeIs(1));
  const Comparison& comparison = summary.differences[0].comparison;
  ASSERT_TRUE(comparison.distinction);
  const Probe& probe = comparison.distinction->probe;
  EXPECT_NE(predict(device, summary.mechanisms[0].mechanism, probe),
            predict(device, summary.mechanisms[1].mechanism, probe));
}

TEST_F(Fleet, WhatIsOddIsNamed) {
  const Device device = die({0, 0, 1, 1, 0, 0, 1, 1});
  for (const char* const id : {"a", "b", "c"}) add(gpu_that_is_done(id, device, "algorithm-1"));
  GpuResult odd = gpu_that_is_done("d", device, "algorithm-1");
  odd.unrepeated = {"p1"};
  odd.silent_sms = {3, 5};
  odd.run_ms = 20;
  odd.verdict = "refuted";
  odd.reason = "nothing explains it";
  odd.mechanism.reset();
  odd.facts_otherwise = {"max_warps_per_sm: 48, not 64"};
  add(odd);
  const FleetSummary summary = summary_of(fleet_, {});
  ASSERT_THAT(summary.odd, SizeIs(3));
  for (const Remark& remark : summary.odd)
    EXPECT_THAT(remark.gpus, ElementsAre("d")) << remark.what;
  ASSERT_THAT(summary.facts, SizeIs(1));
  EXPECT_EQ(summary.facts[0].what, "max_warps_per_sm: 48, not 64");
  ASSERT_THAT(summary.unexplained, SizeIs(1));
  EXPECT_EQ(summary.unexplained[0].what, "refuted: nothing explains it");
}

TEST_F(Fleet, SaysWhatWasNotReached) {
  add(gpu_that_is_done("a", die({}), "algorithm-1"));
  GpuResult begun = gpu_that_is_done("b", die({}), "algorithm-1");
  begun.stage = FleetStage::checked;
  begun.failed = "the device was lost";
  add(begun);
  fleet_.note_failure("n2", "1", "no cuvier-gpu");
  const FleetSummary summary = summary_of(fleet_, {});
  EXPECT_THAT(summary.unfinished, ElementsAre("b: the device was lost"));
  EXPECT_THAT(summary.without_map, ElementsAre("a"));
  ASSERT_THAT(summary.unreached, SizeIs(2));
  EXPECT_EQ(summary.unreached[0].reached, 2);
  EXPECT_THAT(summary.unreached[1].reasons, ElementsAre("no cuvier-gpu"));
  fleet_.forget_failure("n2", "1");
  EXPECT_THAT(summary_of(fleet_, {}).unreached[1].reasons, IsEmpty());
}

TEST_F(Fleet, StatusTellsWhoIsAtWorkFromWhoWasEnded) {
  add(gpu_that_is_done("a", die({}), "algorithm-1"));
  for (const char* const id : {"b", "c"}) {
    GpuResult begun = gpu_that_is_done(id, die({}), "algorithm-1");
    begun.stage = FleetStage::begun;
    add(begun);
  }
  const GpuLock at_work(fleet_.gpu("b"));
  ASSERT_TRUE(at_work.is_ours());
  EXPECT_FALSE(GpuLock(fleet_.gpu("b")).is_ours());
  { const GpuLock ended(fleet_.gpu("c")); }
  const FleetStatus status = status_of(fleet_);
  EXPECT_EQ(status.gpus, 6);
  EXPECT_EQ(status.done, 1);
  EXPECT_THAT(status.at_work, ElementsAre("b"));
  ASSERT_THAT(status.stopped, SizeIs(1));
  EXPECT_EQ(status.stopped[0].gpu, "c");
  EXPECT_EQ(status.not_begun(), 3);
  EXPECT_DOUBLE_EQ(status.seconds_left(), 10);
  EXPECT_EQ(fleet_.taken("n1"), 2);  // a is done, b is somebody's
}

TEST_F(Fleet, AGpuIsReadAsItWasWritten) {
  GpuResult gpu = gpu_that_is_done("a", die({0, 0, 1, 1, 0, 0, 1, 1}), "selection=first_fit");
  gpu.mechanism->set<TieBreak>(TieBreak::learned);
  gpu.mechanism->order = {7, 6, 5, 4, 3, 2, 1, 0};
  add(gpu);
  const GpuResult read = read_gpu_result(folder_.path("gpus/a/gpu.json"));
  EXPECT_EQ(read.mechanism, gpu.mechanism);
  EXPECT_EQ(read.device, gpu.device);
  EXPECT_EQ(to_json(read), to_json(gpu));
  folder_.write("gpus/a/gpu.json", R"({"id":"a"})");
  EXPECT_THAT(samples::message_of([&] { summary_of(fleet_, {}); }),
              testing::HasSubstr("gpus/a/gpu.json: host: is missing"));
}

class TellingFleet : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { chosen_ = telling_probes(device_, model_, 1); }

  Told ask(Oracle& oracle, double seconds = 60) {
    Journal journal(folder_.path("j"), device_, "test");
    return ask_telling(oracle, journal, model_, chosen_, seconds, {});
  }

  samples::Folder folder_;
  inline static const Device device_ = die({0, 0, 1, 1, 0, 0, 1, 1});
  inline static const Hypothesis model_;
  inline static TellingProbes chosen_;  // dear to make
};

TEST_F(TellingFleet, FewTellTheModelFromAllThatAnyOfItsKitTells) {
  EXPECT_LT(chosen_.probes.size(), 30u);
  EXPECT_GT(std::ranges::count(chosen_.tells.front(), true), chosen_.rivals / 3);
  SimulatedOracle oracle("test", device_, model_);
  EXPECT_GT(ask(oracle).rivals, chosen_.rivals * 9 / 10);
}

TEST_F(TellingFleet, NothingContradictsTheModelAndNothingIsAskedTwice) {
  SimulatedOracle oracle("test", device_, model_);
  const Told told = ask(oracle);
  EXPECT_TRUE(told.is_as_the_model());
  EXPECT_EQ(told.answered, std::ssize(chosen_.probes));
  const std::string journal = folder_.read("j/journal.jsonl");
  ask(oracle);
  EXPECT_EQ(folder_.read("j/journal.jsonl"), journal);
}

TEST_F(TellingFleet, AnotherMechanismContradictsItThreeTimes) {
  SimulatedOracle oracle("test", device_, hypothesis_from_text("selection=first_fit"));
  const Told told = ask(oracle);
  EXPECT_NE(told.contradicted_by, "");
  EXPECT_FALSE(told.is_as_the_model());
  EXPECT_THAT(told.unrepeated, IsEmpty());
}

/// Of which the first answer alone is wrong.
class OnceWrong : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers = SimulatedOracle::run(probe, repeat);
    if (asked_++ == 0) {
      Observation& seen = *answers[0].observation;
      for (int& sm : seen.steps[0].started[0].sm) sm = 7 - sm;
      answers[0].facts = facts_of(seen, probe);
    }
    return answers;
  }

 private:
  int asked_ = 0;
};

TEST_F(TellingFleet, AnAnswerThatDoesNotRepeatIsOddAndContradictsNothing) {
  OnceWrong oracle("test", device_, model_);
  const Told told = ask(oracle);
  EXPECT_EQ(told.contradicted_by, "");
  EXPECT_THAT(told.unrepeated, ElementsAre(chosen_.probes[0].name));
}

class Refusing : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    if (answers-- > 0) return SimulatedOracle::run(probe, repeat);
    throw OracleRefusal("unsupported", "not this one");
  }

  int answers = 0;  ///< before it refuses
};

TEST_F(TellingFleet, WhatIsRefusedTellsNothing) {
  Refusing oracle("test", device_, model_);
  const Told nothing = ask(oracle);
  EXPECT_EQ(nothing.answered, 0);
  EXPECT_EQ(nothing.rivals, 0);
  EXPECT_EQ(nothing.contradicted_by, "");
  EXPECT_FALSE(nothing.is_as_the_model());
  oracle.answers = 1;
  const Told one = ask(oracle);
  EXPECT_EQ(one.answered, 1);
  EXPECT_EQ(one.rivals, std::ranges::count(chosen_.tells.front(), true));
  EXPECT_TRUE(one.is_as_the_model());
}

TEST_F(TellingFleet, TheBudgetEndsIt) {
  SimulatedOracle oracle("test", device_, model_);
  const Told told = ask(oracle, 1e-9);
  EXPECT_EQ(told.answered, 0);
  EXPECT_FALSE(told.is_as_the_model());
}

}  // namespace
}  // namespace cuvier
