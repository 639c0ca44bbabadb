#include "solver/infer/inference.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "hypotheses/assumptions.h"
#include "probes/oracles/side_by_side.h"
#include "tests/small_sms.h"
#include "tests/solver/inference_fixture.h"

namespace cuvier {
namespace {

TEST_F(Inference, CountsProbesNotTheirRuns) {
  InferenceOptions options;
  options.max_probes = 2;
  options.repeat = 3;
  EXPECT_EQ(run(options).probes, 2);
  EXPECT_EQ(recorded(), 6u);
}

TEST_F(Inference, GoesOnWhereItsJournalEnds) {
  InferenceOptions options;
  options.max_probes = 2;
  options.repeat = 3;
  const Finding first = run(options);
  options.max_probes = 3;
  const Finding second = run(options);
  EXPECT_EQ(first.probes, 2);
  EXPECT_EQ(second.probes, 3);
  EXPECT_EQ(recorded(), 9u);
  EXPECT_LE(second.count.remaining, first.count.remaining);
}

TEST_F(Inference, IsTheSameOnAnyNumberOfCores) {
  InferenceOptions options;
  options.seed = 7;
  options.max_probes = 8;
  std::vector<std::string> journals;
  for (const int cores : {1, 2, 5}) {
    SetUp();
    const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, cores);
    tbb::task_arena(cores).execute([&] { run(options); });
    std::ifstream journal(folder_ / "journal.jsonl");
    journals.emplace_back(std::istreambuf_iterator<char>(journal),
                          std::istreambuf_iterator<char>());
  }
  EXPECT_THAT(journals[0], testing::HasSubstr("recording"));
  EXPECT_EQ(journals[0], journals[1]);
  EXPECT_EQ(journals[0], journals[2]);
}

/// Refuses every fifth probe of a session.
class Refusing : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;
  bool begin_session() override {
    runs_ = 0;
    return SimulatedOracle::begin_session();
  }
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    if (++runs_ % 5 == 0) throw OracleRefusal("unsupported", "the fifth");
    return SimulatedOracle::run(probe, repeat);
  }

 private:
  int runs_ = 0;
};

/// What contradicts the rest is told with all that was asked beside it, and what is refused is
/// asked for again: by one oracle as by three.
TEST_F(Inference, ConfirmsAlikeByAnyNumberOfOracles) {
  const auto ended = [&](const std::string& mechanism, int count) {
    SetUp();
    std::vector<std::unique_ptr<Oracle>> oracles;
    for (int i = 0; i < count; ++i) {
      oracles.push_back(
          std::make_unique<Refusing>("planted", device_, hypothesis_from_text(mechanism)));
    }
    SideBySide oracle(std::move(oracles));
    Journal journal(folder_, device_, "planted");
    InferenceOptions options;
    options.max_probes = 70;
    const Finding finding = infer(oracle, journal, between({}, {}), options, {});
    std::ifstream file(folder_ / "journal.jsonl");
    return std::pair(finding.verdict, std::string(std::istreambuf_iterator<char>(file), {}));
  };
  const auto confirmed = ended("algorithm-1", 1);
  EXPECT_EQ(confirmed.first, Verdict::ambiguous);
  EXPECT_THAT(confirmed.second, testing::HasSubstr(R"("name":"p70")"));
  EXPECT_EQ(ended("algorithm-1", 3), confirmed);
  const auto contradicted = ended("runtime_shared=2048", 1);
  EXPECT_EQ(contradicted.first, Verdict::refuted);
  EXPECT_EQ(ended("runtime_shared=2048", 3), contradicted);
}

TEST_F(Inference, TheFewestProbesAreNoMoreThanItAsked) {
  std::vector<double> gains;
  InferenceListener listener;
  listener.step = [&](const InferenceStep& step) { gains.push_back(step.gained_bits); };
  InferenceOptions options;
  options.max_probes = 3;
  SimulatedOracle oracle("planted", device_, Hypothesis{});
  Journal journal(folder_, device_, "planted");
  const Finding finding = infer(oracle, journal, Assumptions::all(device_), options, listener);
  EXPECT_EQ(finding.most_bits, *std::ranges::max_element(gains));
  EXPECT_NEAR(told_bits(finding), std::accumulate(gains.begin(), gains.end(), 0.0), 1e-6);
  EXPECT_GE(fewest_probes(finding), 1);
  EXPECT_LE(fewest_probes(finding), finding.telling);
  EXPECT_LE(finding.telling, finding.probes);
  EXPECT_GT(gains[finding.telling - 1], 0);
}

TEST_F(Inference, IsInterruptedInTheMiddleOfAPruningAndGoesOn) {
  InferenceListener interrupted;
  interrupted.task = Task([](const std::string& what) {
    return what.starts_with("pruning by p2") ? "interrupted" : "";
  });
  const auto infer_on = [&](const InferenceListener& listener) {
    SimulatedOracle oracle("planted", device_, Hypothesis{});
    Journal journal(folder_, device_, "planted");
    return infer(oracle, journal, Assumptions::all(device_), {}, listener);
  };
  const Finding finding = infer_on(interrupted);
  EXPECT_EQ(finding.verdict, Verdict::ambiguous);
  EXPECT_THAT(finding.reason, testing::StartsWith("interrupted"));
  EXPECT_EQ(finding.probes, 1);
  const auto recorded = read_recordings((folder_ / "journal.jsonl").string()).recordings;
  EXPECT_THAT(recorded, testing::SizeIs(2));
  EXPECT_EQ(infer_on({}).verdict, Verdict::identified);
}

/// As simtbs is (docs/results/black-boxes.md): where nothing but warps is ever scarce, most axes
/// have no part in it, and what is left is too much to be proved alike.
TEST_F(Inference, ConfirmsWhatNothingSplitsThoughItIsNotProvedAlike) {
  device_.registers_per_sm = device_.max_warps_per_sm * 32 * 256;
  device_.shared_configs = {device_.max_warps_per_sm * 2048};
  device_.max_shared_per_block = 1024;
  device_.max_blocks_per_sm = device_.max_warps_per_sm;
  const Hypothesis truth = hypothesis_from_text(
      "priority=ignored,local_memory=ignored,selection=fewest_warps,warp_placement=skip_full,"
      "register_pool=per_sm,runtime_shared=0,shared_placement=fragmented,config_gate=space_only");
  Assumptions assumptions = Assumptions::all(device_);
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis == *find_axis("pointer_skip") || axis == *find_axis("register_granularity")) continue;
    assumptions.allowed[axis] = 1u << truth.values[axis];
  }
  SimulatedOracle oracle("planted", device_, truth);
  Journal journal(folder_, device_, "planted");
  const Finding finding = infer(oracle, journal, assumptions, {}, {});
  EXPECT_EQ(finding.verdict, Verdict::ambiguous);
  ASSERT_TRUE(finding.confirmed);
  EXPECT_GE(finding.confirmed->probes, 200);
}

/// Of its first answer it shows only how many blocks started, which many hypotheses explain in
/// very many ways; and where it lies, one block less in the end.
class ShyAtFirst : public SimulatedOracle {
 public:
  ShyAtFirst(const Device& device, bool lies)
      : SimulatedOracle("planted", device, Hypothesis{}), lies_(lies) {}

  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers = SimulatedOracle::run(probe, repeat);
    if (!std::exchange(first_, false)) return answers;
    answers.front().observation.reset();
    std::vector<Fact>& facts = answers.front().facts;
    std::erase_if(facts, [](const Fact& fact) { return fact.kind != Fact::Kind::sm; });
    for (Fact& fact : facts) {
      fact.kind = Fact::Kind::started;
      fact.values = {static_cast<int>(fact.values.size())};
    }
    if (lies_) --facts.back().values.front();
    return answers;
  }

 private:
  bool lies_;
  bool first_ = true;
};

TEST_F(Inference, SetsAsideWhatIsTooMuchToFollowAndPredictsItInTheEnd) {
  device_ = small_device(4);
  Assumptions some = Assumptions::all(device_);
  for (const char* fixed :
       {"config_occupancy=all_limits", "config_rounding=up_to_supported", "config_gate=preferred",
        "shared_granularity=128", "shared_placement=first_fit", "shared_room=largest_interval",
        "runtime_shared=1024", "register_granularity=256", "register_layout=renamed",
        "dispatch_batch=single"}) {
    some.restrict_by(fixed);
  }
  for (const bool lies : {false, true}) {
    SetUp();
    std::string notes;
    InferenceListener listener;
    listener.note = [&](const std::string& note) { notes += note + '\n'; };
    ShyAtFirst oracle(device_, lies);
    Journal journal(folder_, device_, "planted");
    const Finding finding = infer(oracle, journal, some, {}, listener);
    EXPECT_THAT(notes, ::testing::HasSubstr("p1: set aside until less is open"));
    EXPECT_EQ(finding.verdict, lies ? Verdict::refuted : Verdict::identified) << finding.reason;
    EXPECT_EQ(finding.clash, lies ? std::vector<std::string>{"p1"} : std::vector<std::string>{});
  }
}

/// As before a device on which somebody else's blocks are now and then: then nobody knows how the
/// session began, and what is seen in it is not what would be seen.
class SometimesUnopened : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;
  int session() const override { return session_; }
  bool session_is_over() const override { return unopened_; }
  std::vector<Answer> run(const Probe& probe, int repeat) override {
    if (unopened_) {
      SimulatedOracle::begin_session();
      ++session_;
    }
    std::vector<Answer> answers = SimulatedOracle::run(probe, repeat);
    unopened_ = ++asked_ % 20 == 0;
    if (unopened_) {
      ++uncounted_;
      answers.front().exact = 0;
      reverse_sms(answers.front());
    }
    return answers;
  }

  int uncounted() const { return uncounted_; }

 private:
  int asked_ = 0;
  int session_ = 0;
  int uncounted_ = 0;
  bool unopened_ = false;
};

TEST_F(Inference, CountsNothingOfASessionThatDidNotOpen) {
  device_ = with_small_sms(small_device(4));
  SometimesUnopened oracle("sometimes", device_, Hypothesis{});
  Journal journal(folder_, device_, "sometimes");
  Assumptions few = Assumptions::all(device_);
  few.restrict_by("algorithm-1,bfa,pointer_skip=none,always,shared_placement=best_fit");
  const Finding finding = infer(oracle, journal, few, {}, {});
  EXPECT_EQ(finding.verdict, Verdict::identified) << finding.reason;
  EXPECT_EQ(finding.mechanism, Hypothesis{});
  EXPECT_GT(oracle.uncounted(), 1);
}

TEST_F(Inference, EndsInTheMidstOfAProof) {
  SimulatedOracle oracle("planted", device_, Hypothesis{});
  Journal journal(folder_, device_, "planted");
  Assumptions assumptions = Assumptions::all(device_);
  assumptions.restrict_by("algorithm-1");
  assumptions.allowed[index_of<PointerReset>()] = 0b111;
  bool proving = false;
  InferenceListener listener;
  listener.task = Task([&](const std::string& doing) {
    proving |= doing.starts_with("proving");
    return proving ? "interrupted" : "";
  });
  const Finding finding = infer(oracle, journal, assumptions, {}, listener);
  EXPECT_EQ(finding.reason, "interrupted; --resume goes on");
  EXPECT_GT(finding.behaviours, 1);
}

TEST_F(Inference, IsUndecidedWhereASolverGivesUp) {
  device_ = with_small_sms(device_);
  InferenceOptions options;
  options.limits.seconds = 1e-6;
  SimulatedOracle oracle("planted", device_, Hypothesis{});
  Journal journal(folder_, device_, "planted");
  Assumptions assumptions = Assumptions::all(device_);
  assumptions.restrict_by("algorithm-1");
  assumptions.allowed[index_of<PointerReset>()] = 0b111;
  const Finding finding = infer(oracle, journal, assumptions, options, {});
  EXPECT_EQ(finding.verdict, Verdict::undecided);
  EXPECT_THAT(finding.reason, testing::HasSubstr("Z3 gave up on warps-"));
}

}  // namespace
}  // namespace cuvier
