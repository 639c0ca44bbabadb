// Exceptions are held against answers that they were not made from.

#include <gmock/gmock.h>

#include <algorithm>

#include "reports/invention/invention_questions.h"
#include "solver/invention/exceptions.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::SizeIs;

Exception exception(const std::string& deviation, const std::string& condition) {
  Rng rng(5);
  const std::vector<Deviation> all = deviations(samples::device(), {}, rng);
  return {{}, *std::ranges::find(all, deviation, &Deviation::words), condition};
}

/// A device with an exception, that answers so many probes and no more.
class ExceptionalOracle : public Oracle {
 public:
  ExceptionalOracle(Exception planted, int answers)
      : planted_(std::move(planted)), answers_(answers) {}

  const Device& device() const override { return device_; }
  std::string description() const override { return "exceptional"; }
  bool begin_session() override { return true; }
  std::vector<Answer> run(const Probe& probe, int) override {
    if (answers_ == 0) throw OracleRefusal("timeout", "no more");
    --answers_;
    SpecialCase mechanism = mechanism_of(device_, planted_);
    mechanism.begin_session();
    return {{facts_of(seen_through({}, mechanism.preview(probe)), probe), std::nullopt}};
  }

 private:
  const Device device_ = samples::device();
  const Exception planted_;
  int answers_;
};

class ChallengedExceptions : public ::testing::Test {
 protected:
  std::vector<Exception> left_of(const std::vector<Exception>& exceptions, Oracle& oracle) {
    InferenceRun run{folder_.path("run"), Assumptions::all(oracle.device()), {}};
    const InventionMeans means;
    InventionQuestions questions(oracle, run, means);
    return challenged(exceptions, oracle, questions, 1, {}, asked_);
  }

  samples::Folder folder_;
  int asked_ = 0;
};

TEST_F(ChallengedExceptions, AreLeftWhereOnlyTheFirstIsContradicted) {
  const Exception wrong = exception("warp_placement=least_loaded", "w >= 4");
  const Exception planted = exception("takes warps by fours", "w >= 4");
  ExceptionalOracle oracle(planted, 1);
  const auto left = left_of({wrong, planted}, oracle);
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left.front().deviation.words, planted.deviation.words);
  EXPECT_EQ(left.front().condition, planted.condition);
  EXPECT_EQ(asked_, 1);
}

TEST_F(ChallengedExceptions, RoundUpAsBefore) {
  const Exception planted =
      exception("takes warps by fours", "(bytes + 1023) / 1024 * 1024 > 8192");
  ExceptionalOracle oracle(planted, 0);
  const auto left = left_of({planted}, oracle);
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left.front().condition, planted.condition);
}

}  // namespace
}  // namespace cuvier
