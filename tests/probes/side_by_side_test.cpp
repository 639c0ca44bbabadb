#include "probes/oracles/side_by_side.h"

#include <gmock/gmock.h>

#include <future>

#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Tells how many probes ran in its session.
class Counting : public Oracle {
 public:
  explicit Counting(const Device& device) : device_(device) {}

  const Device& device() const override { return device_; }
  std::string description() const override { return "counting"; }
  bool begin_session() override {
    runs_ = 0;
    return true;
  }
  std::vector<Answer> run(const Probe&, int) override {
    Fact fact;
    fact.values = {++runs_};
    return {{{fact}, {}}};
  }

 private:
  Device device_;
  int runs_ = 0;
};

SideBySide two(const Device& second = samples::device()) {
  std::vector<std::unique_ptr<Oracle>> both;
  both.push_back(std::make_unique<Counting>(samples::device()));
  both.push_back(std::make_unique<Counting>(second));
  return SideBySide(std::move(both));
}

/// One that waited for the other alone would wait for ever.
TEST(SideBySide, HoldsSessionsAtOnceAndTellsInTheirOrder) {
  SideBySide oracles = two();
  std::promise<void> second_is_done;
  std::vector<int> told;
  oracles.hold_sessions(3, [&](Oracle&, int number, const Oracle::Then& then) {
    if (number == 0) second_is_done.get_future().wait();
    then([&, number] { told.push_back(number); });
    then([&, number] { told.push_back(10 + number); });
    if (number == 1) second_is_done.set_value();
  });
  EXPECT_THAT(told, ElementsAre(0, 10, 1, 11, 2, 12));
}

TEST(SideBySide, OfWhatComesAfterAFailureNothingFollows) {
  SideBySide oracles = two();
  std::promise<void> second_is_done;
  std::vector<int> told;
  const auto session = [&](Oracle&, int number, const Oracle::Then& then) {
    if (number == 0) second_is_done.get_future().wait();
    then([&, number] { told.push_back(number); });
    if (number == 0) throw OracleRefusal("unsupported", "not this one");
    if (number == 1) second_is_done.set_value();
  };
  EXPECT_THROW(oracles.hold_sessions(20, session), OracleRefusal);
  EXPECT_THAT(told, ElementsAre(0));
}

/// Who asked has seen enough.
TEST(SideBySide, EndsWhereWhatFollowsThrows) {
  SideBySide oracles = two();
  std::vector<int> told;
  const auto session = [&](Oracle&, int number, const Oracle::Then& then) {
    then([&, number] {
      told.push_back(number);
      if (number == 1) throw OracleRefusal("enough", "");
    });
  };
  EXPECT_THROW(oracles.hold_sessions(20, session), OracleRefusal);
  EXPECT_THAT(told, ElementsAre(0, 1));
}

TEST(SideBySide, EachSessionBeginsAtTheStart) {
  SideBySide oracles = two();
  std::vector<int> counted;
  oracles.hold_sessions(4, [&](Oracle& one, int number, const Oracle::Then& then) {
    Answer last;
    for (int run = 0; run <= number; ++run) last = one.run({}, 1).front();
    then([&, last] { counted.push_back(last.facts.front().values.front()); });
  });
  EXPECT_THAT(counted, ElementsAre(1, 2, 3, 4));
}

TEST(SideBySide, AreOfOneDevice) {
  Device other = samples::device();
  other.max_resident_kernels = 1;
  EXPECT_THAT(samples::message_of([&] { two(other); }), HasSubstr("not of the same device"));
}

}  // namespace
}  // namespace cuvier
