// What is said of an oracle that nothing explains.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/solver/inference_fixture.h"

namespace cuvier {
namespace {

using RefutedInference = Inference;

/// Just this hypothesis, with any queue.
Assumptions almost(const Hypothesis& hypothesis) {
  Assumptions assumptions{};
  for (int axis = 0; axis < kAxes; ++axis)
    assumptions.allowed[axis] = 1u << hypothesis.values[axis];
  assumptions.allowed[index_of<Queue>()] = 0b11;
  return assumptions;
}

/// Keeps nothing from one probe to the next, and does not say so.
class Forgetful : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers;
    for (int i = 0; i < repeat; ++i) {
      SimulatedOracle anew("anew", device(), hypothesis());
      answers.push_back(anew.run(probe, 1).front());
    }
    return answers;
  }
};

TEST_F(RefutedInference, SaysSoWhereAnOracleStartsEachProbeAnew) {
  const Hypothesis walking = hypothesis_from_text("selection=round_robin,cursor_reset=never");
  Forgetful oracle("forgetful", device_, walking);
  Journal journal(folder_, device_, "forgetful");
  const Finding finding = infer(oracle, journal, almost(walking), {}, {});
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  EXPECT_TRUE(finding.begins_anew);
  EXPECT_THAT(finding.reason, testing::HasSubstr("the oracle seems to start each probe anew"));
  EXPECT_FALSE(finding.clash.empty());
  EXPECT_FALSE(finding.nearest) << "a pattern in what it gets wrong would be none of the device's";
}

/// State that nobody thought of outlives a probe.
class Tiring : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;
  bool begin_session() override { return asked_ = 0, SimulatedOracle::begin_session(); }
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers = SimulatedOracle::run(probe, repeat);
    if (++asked_ >= 4) reverse_sms(answers.front());
    return answers;
  }

 private:
  int asked_ = 0;
};

/// That is no oracle that forgets.
TEST_F(RefutedInference, DoesNotSaySoWhereSomethingElseOutlivesAProbe) {
  Tiring oracle("tiring", device_, Hypothesis{});
  Journal journal(folder_, device_, "tiring");
  const Finding finding = infer(oracle, journal, almost(Hypothesis{}), {}, {});
  EXPECT_EQ(finding.verdict, Verdict::refuted) << finding.reason;
  EXPECT_FALSE(finding.begins_anew);
  EXPECT_TRUE(finding.nearest);
}

/// Answers one question otherwise, wherever it is asked.
class WrongOnce : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers = SimulatedOracle::run(probe, repeat);
    if (++asked_ == 40) wrong_ = probe;
    if (wrong_ && same_question(*wrong_, probe)) reverse_sms(answers.front());
    return answers;
  }

 private:
  int asked_ = 0;
  std::optional<Probe> wrong_;
};

/// Of what confirms, what is wrong is asked alone, and beside what settled something.
TEST_F(RefutedInference, AsksFewAloneWhereTheyContradictEachOther) {
  WrongOnce oracle("wrong once", device_, Hypothesis{});
  Journal journal(folder_, device_, "wrong once");
  const Finding finding = infer(oracle, journal, almost(Hypothesis{}), {}, {});
  EXPECT_EQ(finding.verdict, Verdict::refuted) << finding.reason;
  ASSERT_FALSE(finding.clash.empty());
  EXPECT_THAT(finding.clash.back(), testing::StartsWith("p40-alone"));
  const auto recordings = read_recordings((folder_ / "journal.jsonl").string()).recordings;
  EXPECT_LT(std::ranges::count_if(
                recordings,
                [](const Recording& recording) { return recording.name().ends_with("-alone"); }),
            10);
}

TEST_F(RefutedInference, SaysSoWhereTimeIsUpBeforeItKnowsWhy) {
  Tiring oracle("tiring", device_, Hypothesis{});
  {
    Journal journal(folder_, device_, "tiring");
    ASSERT_EQ(infer(oracle, journal, almost(Hypothesis{}), {}, {}).verdict, Verdict::refuted);
  }
  Journal journal(folder_, device_, "tiring");
  InferenceOptions options;
  options.time_limit_s = 1e-6;
  const Finding finding = infer(oracle, journal, almost(Hypothesis{}), options, {});
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  EXPECT_THAT(finding.reason,
              testing::EndsWith("why was not looked into to the end: the time allowed is spent"));
}

/// Another rule for kernels of many registers, and after so many answers none.
class Quitting : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    if (++asked_ > 30) throw OracleRefusal("timeout", "it took too long");
    std::vector<Answer> answers = SimulatedOracle::run(probe, repeat);
    const auto has_many = [](const Kernel& kernel) { return kernel.registers > 64; };
    if (std::ranges::any_of(probe.kernels, has_many)) reverse_sms(answers.front());
    return answers;
  }

 private:
  int asked_ = 0;
};

TEST_F(RefutedInference, AsksForNothingAgainThatIsRefused) {
  Quitting oracle("quitting", device_, Hypothesis{});
  Journal journal(folder_, device_, "quitting");
  const Finding finding = infer(oracle, journal, almost(Hypothesis{}), {}, {});
  EXPECT_EQ(finding.verdict, Verdict::refuted) << finding.reason;
  EXPECT_TRUE(finding.nearest);
}

}  // namespace
}  // namespace cuvier
