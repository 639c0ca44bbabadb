#include "tests/law/breakers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <set>

#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "tests/law/planted.h"
#include "tests/law/planted_sessions.h"

namespace cuvier {
namespace {

/// What an inference ends with that assumes Algorithm 1.
Finding found_in_front_of(const breakers::Breaker& breaker, std::uint64_t seed = 1,
                          const InferenceListener& listener = {}) {
  const Device device = find_device("rtx3090");
  Assumptions assumed = Assumptions::all(device);
  assumed.restrict_by("algorithm-1");
  const samples::Folder folder;
  breakers::Broken oracle(device, breaker);
  Journal journal(folder.path("journal"), device, oracle.description());
  InferenceOptions options;
  options.seed = seed;
  return infer(oracle, journal, assumed, options, listener);
}

/// In front of a black box that no hypothesis describes, what is assumed is Algorithm 1, which it
/// nearly is: all that can tell is what confirms.
class BreakersLaw : public ::testing::TestWithParam<int> {};

TEST_P(BreakersLaw, NoneIsTakenForWhatItNearlyIs) {
  const breakers::Breaker& breaker = breakers::all()[GetParam()];
  bool is_refuted = false;
  InferenceListener listener;  // what comes nearest is not looked for
  listener.step = [&](const InferenceStep& step) { is_refuted |= step.count.remaining == 0; };
  listener.task = Task([&](const Doing&) { return is_refuted ? "known" : ""; });
  const Finding finding = found_in_front_of(breaker, 1, listener);
  EXPECT_EQ(finding.verdict, Verdict::refuted) << breaker.breaks << ": " << finding.reason;
}

INSTANTIATE_TEST_SUITE_P(All, BreakersLaw,
                         ::testing::Range(0, static_cast<int>(breakers::all().size())));

/// Which kernels go by which other rule is found, where the rest is known. To the unit it is where
/// the few answers that go wrong tell so much: by this seed they do.
class DiagnosisLaw : public ::testing::TestWithParam<std::array<std::string_view, 3>> {};

TEST_P(DiagnosisLaw, NamesTheKernelsAndTheRule) {
  const auto [breaks, kernels, rule] = GetParam();
  const breakers::Breaker& breaker =
      *std::ranges::find(breakers::all(), breaks, &breakers::Breaker::breaks);
  const Finding finding = found_in_front_of(breaker, 2);
  ASSERT_TRUE(finding.nearest && finding.nearest->but_for);
  EXPECT_EQ(finding.nearest->but_for->kernels, kernels);
  EXPECT_EQ(finding.nearest->but_for->deviation, rule);
  EXPECT_EQ(finding.nearest->but_for->wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Some, DiagnosisLaw,
    ::testing::Values(std::array<std::string_view, 3>{"the pointer skips from 8 warps on",
                                                      "warps per block >= 8",
                                                      "pointer_skip=always"},
                      std::array<std::string_view, 3>{"one block slot less", "any kernel",
                                                      "15 block slots of an SM"}));

TEST(LimitProbes, FillEachLimitAndAskForOneMore) {
  for (const std::string_view name : {"rtx3090", "h200"}) {
    const Device device = find_device(std::string(name));
    std::set<std::string> limits;
    for (const Probe& probe : limit_probes(device)) {
      validate(probe, device, probe.name);
      limits.insert(probe.name);
      if (probe.kernels.size() != 2 || probe.name.ends_with("byte")) continue;
      const Observation seen = predict(device, {}, probe);
      ASSERT_EQ(seen.steps.front().started.size(), 1u) << probe.name;
      EXPECT_EQ(std::ssize(seen.steps.front().started.front().block), probe.kernels[0].blocks)
          << name << ", " << probe.name;
      EXPECT_EQ(seen.steps.back().started.size(), 0u) << name << ", " << probe.name;
    }
    EXPECT_EQ(limits.size(), device.max_cluster > 0 ? 8u : 7u);
  }
}

/// How many kernels with local memory are resident matters to a rule only where there are many.
TEST(LimitProbes, TellRulesOfManyKernelsWithLocalMemory) {
  const Device device = find_device("t4");
  for (const std::string formula :
       {"local > grown and users < 6", "local > grown and users > 30"}) {
    Simulator known(device, {});
    Simulator other(device, with_formula<LocalMemory>(formula));
    bool differs = false;
    for (const Probe& probe : limit_probes(device)) {
      differs |= known.run(probe) != other.run(probe);
    }
    EXPECT_TRUE(differs) << formula;
  }
}

/// One number of many is another rule's.
TEST(SweepProbes, TellWhatHoldsForOneNumberAlone) {
  const Device device = find_device("t4");
  const auto tells = [&]<class Axis>(const std::string& formula) {
    Simulator known(device, {});
    Simulator other(device, with_formula<Axis>(formula));
    return std::ranges::any_of(sweep_probes(device), [&](const Probe& probe) {
      return known.run(probe) != other.run(probe);
    });
  };
  const std::string as_known = "(registers * 32 + 255) / 256 * 256";
  for (const int count : {17, 77, 120, 168, 254}) {
    SCOPED_TRACE(count);
    const std::string formula = fmt::format("registers == {} ? 16384 : {}", count, as_known);
    EXPECT_TRUE(tells.operator()<RegisterGranularity>(formula));
    EXPECT_TRUE(tells.operator()<Admission>(fmt::format("registers != {} or blocks < 1", count)));
  }
  for (const int warps : {1, 13, 16}) {
    EXPECT_TRUE(tells.operator()<Admission>(fmt::format("w != {} or blocks < 1", warps))) << warps;
  }
  for (const int kib : {1, 7, 31}) {
    const std::string formula = fmt::format("bytes != {} or blocks < 1", 1024 * kib);
    EXPECT_TRUE(tells.operator()<Admission>(formula)) << kib;
  }
  EXPECT_TRUE(tells.operator()<DispatchBatch>("blocks >= 5000"));
  for (int users = 1; users < 10; ++users) {
    const std::string formula = fmt::format("local > grown and users != {}", users);
    EXPECT_TRUE(tells.operator()<LocalMemory>(formula)) << users;
  }
}

/// As what changes nothing is confirmed, so it is by all of the programme.
TEST(Confirmation, FollowsItsProgrammeToTheEnd) {
  const Device device = find_device("rtx3090");
  Assumptions assumed = Assumptions::all(device);
  assumed.restrict_by("algorithm-1");
  const samples::Folder folder;
  const breakers::Breaker nothing{"", "nothing", ""};
  breakers::Broken oracle(device, nothing);
  Journal journal(folder.path("journal"), device, "");
  const Finding finding = infer(oracle, journal, assumed, {}, {});
  ASSERT_EQ(finding.verdict, Verdict::identified) << finding.reason;
  ASSERT_TRUE(finding.confirmed);
  EXPECT_EQ(finding.confirmed->limits, static_cast<int>(limit_probes(device).size()));
  EXPECT_EQ(finding.confirmed->sessions, 15);
  EXPECT_GT(finding.confirmed->pairs, 1'500);
  for (const CoveredFeature& feature : finding.confirmed->features) {
    for (const auto& [name, launches] : feature.classes) {
      EXPECT_GT(launches, 0) << feature.name << ": " << name;
    }
  }
}

/// Blocks go where a rule says that no hypothesis knows of, and the same way each time; what drifts
/// explains that.
class AlwaysTheSame : public SimulatedOracle {
 public:
  AlwaysTheSame(const Device& device, const Hypothesis& drifting)
      : SimulatedOracle("always the same", device, drifting) {
    AlwaysTheSame::begin_session();
  }

  bool begin_session() override {
    simulator_.emplace(device(), hypothesis());
    return SimulatedOracle::begin_session();
  }

  std::vector<Answer> run(const Probe& probe, int) override {
    DrawnChoices choices(1);
    Observation seen = seen_through({}, simulator_->run(probe, &choices));
    std::vector<Fact> facts = facts_of(seen, probe);
    return {{std::move(facts), std::move(seen)}};
  }

 private:
  std::optional<Simulator> simulator_;
};

TEST(Confirmation, DoubtsADriftThatNeverVaries) {
  const Device device = small_device(16);
  Hypothesis drifting;
  drifting.set<DispatchBatch>(DispatchBatch::pair);
  drifting.set<PairsInFlight>(PairsInFlight::drifting);
  Assumptions assumed{};
  for (int axis = 0; axis < kAxes; ++axis) assumed.allowed[axis] = 1u << drifting.values[axis];
  const auto finding_of = [&](Oracle& oracle) {
    const samples::Folder folder;
    Journal journal(folder.path("journal"), device, "");
    return infer(oracle, journal, assumed, {}, {});
  };
  SimulatedOracle varies("drifts", device, drifting);
  EXPECT_EQ(finding_of(varies).verdict, Verdict::identified);
  AlwaysTheSame same(device, drifting);
  const Finding finding = finding_of(same);
  EXPECT_EQ(finding.verdict, Verdict::ambiguous);
  EXPECT_THAT(finding.reason, ::testing::HasSubstr("always the same"));
}

}  // namespace
}  // namespace cuvier
