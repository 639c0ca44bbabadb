#include "solver/check/validation.h"

#include <gmock/gmock.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulated_oracle.h"
#include "probes/error.h"
#include "solver/finding/mismatches.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::HasSubstr;

/// Answers as told, and like the simulator otherwise.
class Faulty : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;

  std::vector<Answer> run(const Probe& probe, int repeat) override {
    ++asked;
    if (asked == refuses_at || refuses_all) throw OracleRefusal("unsupported", "not this one");
    if (asked == fails_at) throw Error("the oracle died", Error::Kind::oracle);
    return SimulatedOracle::run(probe, repeat);
  }

  int asked = 0;
  int refuses_at = -1;
  int fails_at = -1;
  bool refuses_all = false;
};

class ValidationTest : public ::testing::Test {
 protected:
  Validation validate(Oracle& oracle, const ValidationOptions& options) {
    Journal journal(folder_.path(std::to_string(++runs_)), oracle.device(), "test");
    return validate_model(oracle, journal, {}, options);
  }
  RecordingSet recorded() const {
    return read_recordings(folder_.path(std::to_string(runs_) + "/journal.jsonl"));
  }

  samples::Folder folder_;
  int runs_ = 0;
};

template <class Axis>
Hypothesis algorithm_1_but(typename Axis::Value value) {
  Hypothesis hypothesis;
  hypothesis.set<Axis>(value);
  return hypothesis;
}

TEST(MostDisagreement, IsClopperAndPearsonsBound) {
  EXPECT_NEAR(most_disagreement(0, 1000), 0.0029912, 1e-6);  // 1 - 0.05^(1/1000), about 3/1000
  EXPECT_NEAR(most_disagreement(0, 1), 0.95, 1e-9);
  EXPECT_NEAR(most_disagreement(1, 10), 0.3941633, 1e-6);  // (1-p)^10 + 10p(1-p)^9 = 0.05
  EXPECT_EQ(most_disagreement(10, 10), 1);
}

TEST_F(ValidationTest, AgreesWithItself) {
  SimulatedOracle oracle("itself", samples::device(), {});
  ValidationOptions options;
  options.sequences = 100;
  const Validation validation = validate(oracle, options);
  EXPECT_EQ(validation.asked(), 100);
  EXPECT_TRUE(validation.contradictions.empty());
  EXPECT_EQ(validation.tallies.front().generator, "paper_random");
  EXPECT_EQ(validation.tallies.front().asked, 50);
  for (const auto& tally : validation.tallies) EXPECT_GE(tally.asked, 2) << tally.generator;
  EXPECT_EQ(recorded().recordings.size(), 100U);
}

TEST_F(ValidationTest, StateThatSurvivesIsPartOfTheModel) {
  const Hypothesis model = algorithm_1_but<PointerReset>(PointerReset::never);
  SimulatedOracle oracle("itself", samples::device(), model);
  Journal journal(folder_.path("out"), oracle.device(), "test");
  ValidationOptions options;
  options.sequences = 60;
  EXPECT_TRUE(validate_model(oracle, journal, model, options).contradictions.empty());
}

TEST_F(ValidationTest, ANewSessionIsOneForTheModelToo) {
  Hypothesis surviving = algorithm_1_but<Selection>(Selection::round_robin);
  surviving.set<CursorReset>(CursorReset::never);
  class Restarting : public SimulatedOracle {
   public:
    explicit Restarting(const Hypothesis& hypothesis)
        : SimulatedOracle("one", samples::device(), hypothesis),
          other_("other", samples::device(), hypothesis) {}
    std::vector<Answer> run(const Probe& probe, int repeat) override {
      return ++asked_ <= 20 ? SimulatedOracle::run(probe, repeat) : other_.run(probe, repeat);
    }
    int session() const override { return asked_ > 20 ? 1 : 0; }

   private:
    SimulatedOracle other_;
    int asked_ = 0;
  } oracle(surviving);
  Journal journal(folder_.path("out"), oracle.device(), "test");
  ValidationOptions options;
  options.sequences = 40;
  const Validation validation = validate_model(oracle, journal, surviving, options);
  EXPECT_TRUE(validation.contradictions.empty());
  EXPECT_EQ(validation.sessions, 2);
  const RecordingSet set = read_recordings(journal.path());
  EXPECT_TRUE(set.recordings[20].fresh);
  EXPECT_TRUE(mismatches(set, surviving).empty());
}

/// Whatever comes after it in its session would be wrong as well.
TEST_F(ValidationTest, OneSlipIsOneContradiction) {
  const Hypothesis model = hypothesis_from_text("selection=round_robin,cursor_reset=never");
  class SlipsOnce : public SimulatedOracle {
   public:
    using SimulatedOracle::SimulatedOracle;
    std::vector<Answer> run(const Probe& probe, int repeat) override {
      const Probe unseen{"unseen", {samples::kernel("k", 1, 32)}, {{0, {}}}};
      if (++asked_ == 5) SimulatedOracle::run(unseen, 1);
      return SimulatedOracle::run(probe, repeat);
    }

   private:
    int asked_ = 0;
  } oracle("slips", samples::device(), model);
  Journal journal(folder_.path("out"), oracle.device(), "test");
  ValidationOptions options;
  options.sequences = 40;
  const Validation validation = validate_model(oracle, journal, model, options);
  EXPECT_EQ(validation.contradictions.size(), 1U);
  EXPECT_EQ(validation.sessions, 2);
  EXPECT_TRUE(read_recordings(journal.path()).recordings[5].fresh);
}

TEST_F(ValidationTest, FindsWhatIsWrongAndMakesItSmall) {
  SimulatedOracle oracle("another", samples::device(), algorithm_1_but<TieBreak>(TieBreak::linear));
  ValidationOptions options;
  options.sequences = 20;
  options.minimise = true;
  const Validation validation = validate(oracle, options);
  ASSERT_FALSE(validation.contradictions.empty());
  EXPECT_EQ(validation.contradictions.front().first.recording, "v1");
  ASSERT_TRUE(validation.smallest);
  EXPECT_EQ(validation.smallest->unfinished, "");
  EXPECT_EQ(validation.smallest->disagreed_again, 3);
  // Two blocks: the second goes to SM 1 instead of SM 2.
  const ProbeSize size = size_of(validation.smallest->minimised.probe);
  EXPECT_EQ(std::tuple(size.kernels, size.actions, size.blocks), std::tuple(1, 1, 2));
  ASSERT_EQ(validation.smallest->wrong.size(), 1U);
  EXPECT_EQ(validation.smallest->wrong[0].seen, "starts on SMs 0, 1");
  // Everything that was asked is on record.
  EXPECT_FALSE(mismatches(recorded(), {}).empty());
  EXPECT_GT(recorded().recordings.size(), 20U);
}

TEST_F(ValidationTest, IsTheSameForTheSameSeed) {
  const auto first_wrong = [&](std::uint64_t seed) {
    SimulatedOracle oracle("another", samples::device(), algorithm_1_but<Queue>(Queue::skip_ahead));
    ValidationOptions options;
    options.sequences = 100;
    options.seed = seed;
    std::string names;
    for (const Contradiction& wrong : validate(oracle, options).contradictions) {
      names += wrong.first.recording + ' ';
    }
    return names;
  };
  EXPECT_EQ(first_wrong(1), first_wrong(1));
  EXPECT_NE(first_wrong(1), first_wrong(2));
}

TEST_F(ValidationTest, CountsWhatIsRefused) {
  Faulty oracle("faulty", samples::device(), {});
  oracle.refuses_at = 3;
  ValidationOptions options;
  options.sequences = 10;
  const Validation validation = validate(oracle, options);
  EXPECT_EQ(validation.asked(), 10);
  EXPECT_EQ(validation.refused(), 1);
  EXPECT_EQ(validation.refusals.at("unsupported"), "not this one");
  EXPECT_TRUE(validation.contradictions.empty());
}

TEST_F(ValidationTest, EndsWhereEverythingIsRefused) {
  Faulty oracle("faulty", samples::device(), {});
  oracle.refuses_all = true;
  EXPECT_THAT(message_of([&] { validate(oracle, {}); }),
              HasSubstr("refused 51 of 51 sequences; the last: not this one"));
}

TEST_F(ValidationTest, KeepsItsAnswersWhereTheOracleFails) {
  Faulty oracle("faulty", samples::device(), {});
  oracle.fails_at = 8;
  EXPECT_EQ(message_of([&] { validate(oracle, {}); }), "the oracle died");
  EXPECT_EQ(recorded().recordings.size(), 7U);
}

TEST_F(ValidationTest, ReportsWhatItKnowsWhereTheOracleFailsWhileItMinimises) {
  Faulty oracle("faulty", samples::device(), algorithm_1_but<TieBreak>(TieBreak::linear));
  oracle.fails_at = 30;
  ValidationOptions options;
  options.sequences = 20;
  options.minimise = true;
  const Validation validation = validate(oracle, options);
  EXPECT_FALSE(validation.contradictions.empty());
  ASSERT_TRUE(validation.smallest);
  EXPECT_EQ(validation.smallest->unfinished, "the oracle died");
  EXPECT_LE(size_of(validation.smallest->minimised.probe), size_of(validation.smallest->before));
}

TEST_F(ValidationTest, HidesNoOtherFailureWhileItMinimises) {
  /// Where it does not lie in the oracle, answers cannot be kept, say.
  class Failing : public SimulatedOracle {
   public:
    using SimulatedOracle::SimulatedOracle;
    std::vector<Answer> run(const Probe& probe, int repeat) override {
      if (++asked_ == fails_at) throw Error("the disk is full");
      return SimulatedOracle::run(probe, repeat);
    }
    int fails_at = 0;

   private:
    int asked_ = 0;
  };
  ValidationOptions options;
  options.sequences = 20;
  options.minimise = true;
  options.most_questions = 5;
  // While it looks for a smaller one, and when that is asked again.
  for (const int fails_at : {22, 20 + 5 + 2}) {
    Failing oracle("failing", samples::device(), algorithm_1_but<TieBreak>(TieBreak::linear));
    oracle.fails_at = fails_at;
    const Validation validation = validate(oracle, options);
    EXPECT_FALSE(validation.contradictions.empty());
    EXPECT_EQ(validation.not_minimised, "the disk is full");
    ASSERT_TRUE(validation.failure);
    EXPECT_THROW(std::rethrow_exception(validation.failure), Error);
  }
}

TEST_F(ValidationTest, NeverMakesAContradictionLargerInBlocks) {
  /// Wrong about every probe of two kernels, and of those of one about large grids.
  class Odd : public SimulatedOracle {
   public:
    using SimulatedOracle::SimulatedOracle;
    std::vector<Answer> run(const Probe& probe, int repeat) override {
      std::vector<Answer> answers = SimulatedOracle::run(probe, repeat);
      if (probe.kernels.size() == 1 && probe.kernels[0].blocks < 60) return answers;
      Fact& first = answers.front().facts.front();
      if (first.kind == Fact::Kind::sm) first.values[0] ^= 1;
      return answers;
    }
  };
  int could_grow = 0;
  for (std::uint64_t seed = 1; seed <= 6 && could_grow < 2; ++seed) {
    Odd oracle("odd", samples::device(), Hypothesis{});
    ValidationOptions options;
    options.sequences = 1;
    options.seed = seed;
    options.minimise = true;
    options.most_questions = 200;
    const Validation validation = validate(oracle, options);
    if (!validation.smallest || size_of(validation.smallest->before).blocks >= 60) continue;
    ++could_grow;
    EXPECT_LE(size_of(validation.smallest->minimised.probe).blocks,
              size_of(validation.smallest->before).blocks)
        << seed;
  }
  EXPECT_GT(could_grow, 0);
}

TEST_F(ValidationTest, AsksNoMoreThanItMayWhileItMinimises) {
  Faulty oracle("faulty", samples::device(), algorithm_1_but<TieBreak>(TieBreak::linear));
  ValidationOptions options;
  options.sequences = 20;
  options.minimise = true;
  options.most_questions = 5;
  const Validation validation = validate(oracle, options);
  ASSERT_TRUE(validation.smallest);
  EXPECT_EQ(validation.smallest->unfinished, "the 5 questions allowed for it are spent");
  EXPECT_EQ(oracle.asked, 20 + 5 + 3);
}

}  // namespace
}  // namespace cuvier
