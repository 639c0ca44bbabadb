#include "solver/query_selection/candidates.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "probes/exact_steps.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

/// The SMs of each block, step by step, by the kernel's place among `kernels` after `first`.
std::vector<std::map<int, std::vector<int>>> sms_of(const Observation& observation,
                                                    std::size_t begin, int first) {
  std::vector<std::map<int, std::vector<int>>> sms;
  for (std::size_t step = begin; step < observation.steps.size(); ++step) {
    auto& here = sms.emplace_back();
    for (const Started& started : observation.steps[step].started) {
      here[started.kernel - first] = started.sm;
    }
  }
  return sms;
}

bool all_start(const Probe& probe, const Observation& observation) {
  std::size_t waiting = 0;
  for (const Action& action : probe.script) {
    if (action.launch) waiting += probe.kernels[*action.launch].blocks;
  }
  for (const Step& step : observation.steps) {
    for (const Started& started : step.started) waiting -= started.sm.size();
  }
  return waiting == 0;
}

TEST(JoinedProbes, ShowWhatEachShows) {
  const Device device = small_device(8);
  Hypothesis hypothesis;
  hypothesis.set<LocalMemory>(LocalMemory::ignored);  // else the first's need outlives it
  Rng rng(1);
  int compared = 0;
  for (int pair = 0; pair < 100; ++pair) {
    const Probe first = random_probe(device, rng);
    const Probe second = random_probe(device, rng);
    const Observation of_first = predict(device, hypothesis, first);
    if (!all_start(first, of_first)) continue;
    ++compared;
    const Probe joined = join(first, second);
    ASSERT_NO_THROW(validate(joined, device, "joined"));
    EXPECT_EQ(probe_from_json(to_json(joined), "joined"), joined);
    EXPECT_EQ(sms_of(predict(device, hypothesis, joined), first.script.size() + 1,
                     static_cast<int>(first.kernels.size())),
              sms_of(predict(device, hypothesis, second), 0, 0));
  }
  EXPECT_GT(compared, 30);
}

TEST(Search, AsksQuestionsThatHaveNothingToDoWithEachOtherAtOnce) {
  const Device device = small_device(8);
  std::vector<Hypothesis> left;
  for (const LocalMemory::Value local : {LocalMemory::grow_when_idle, LocalMemory::ignored}) {
    for (const SharedGranularity::Value step :
         {SharedGranularity::b128, SharedGranularity::b1024}) {
      Hypothesis& hypothesis = left.emplace_back();
      hypothesis.set<LocalMemory>(local);
      hypothesis.set<SharedGranularity>(step);
    }
  }
  const std::vector<Recording> history;
  int at_once = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    Search search(
        device, [&](int) { return left; }, history, {}, rng);
    const auto best = search.best({}, 8);
    ASSERT_TRUE(best);
    at_once += best->outcomes == 4;
  }
  EXPECT_GE(at_once, 15);
}

/// Where blocks leave one by one, only what does not depend on their order tells anything.
TEST(Search, SplitsByExactStepsWhereOnlyTheseCount) {
  const Device device = small_device(8);
  std::vector<Hypothesis> left(2);
  left[1].set<WarpPlacement>(WarpPlacement::skip_full);
  const std::vector<Recording> history;
  for (int seed = 1; seed <= 8; ++seed) {
    Rng rng(seed);
    Search search(
        device, [&](int) { return left; }, history, {}, rng);
    search.exact_only = true;
    const auto best = search.best({}, 8);
    ASSERT_TRUE(best);
    std::vector<Observation> seen;
    for (const Hypothesis& each : left) {
      seen.push_back(predict(device, each, best->probe));
      seen.back().steps.resize(exact_steps(seen.back(), best->probe));
    }
    EXPECT_NE(seen[0], seen[1]) << to_json(best->probe);
  }
}

// Where hardly any probe tells two apart, most of those that would if warp slots were seen lead on.
TEST(Search, GoesOnFromWhatHiddenChannelsShow) {
  const Device device = small_device(8);
  Hypothesis one;
  one.set<Hierarchy>(Hierarchy::tpc);
  one.set<Selection>(Selection::sticky_round_robin);
  one.set<WarpPlacement>(WarpPlacement::skip_full);
  one.set<RegisterLayout>(RegisterLayout::contiguous);
  one.set<ConfigOccupancy>(ConfigOccupancy::single_block);
  one.set<ConfigRounding>(ConfigRounding::power_of_two);
  one.set<ConfigScope>(ConfigScope::device);
  Hypothesis other = one;
  other.set<PointerSkip>(PointerSkip::none);
  const std::vector<Recording> history;
  int found = 0;
  for (int seed = 1; seed <= 8; ++seed) {
    Rng rng(seed);
    Search search(
        device,
        [&](int) {
          return std::vector{one, other};
        },
        history, {}, rng);
    const auto best = search.best({}, 40);
    found += best ? 1 : 0;
  }
  EXPECT_GE(found, 6);
}

}  // namespace
}  // namespace cuvier
