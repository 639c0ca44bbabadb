// A planted mechanism is found again, up to what nothing can tell from it. At full size:
// bench/recovery.cpp.

#include <gtest/gtest.h>

#include <bit>
#include <ranges>
#include <vector>

#include "tests/law/drawn.h"
#include "tests/law/planted.h"
#include "tests/small_sms.h"

namespace cuvier {
namespace {

constexpr int kFreshProbes = 200;

void expect_recovered(const Device& device, const Hypothesis& planted, std::uint64_t seed,
                      int max_probes = InferenceOptions{}.max_probes) {
  const Recovery recovery = recover(device, planted, seed, kFreshProbes, max_probes);
  EXPECT_TRUE(recovery.good()) << describe(planted) << " on " << device.name << ", seed " << seed
                               << ": " << describe(recovery);
  EXPECT_GT(recovery.survivors_tried, 0);
}

/// In which all is told. What an inference asks after that only confirms it, and takes as long
/// again: that is done for few mechanisms.
constexpr int kTellingProbes = 100;

TEST(Recovery, OfAlgorithm1) { expect_recovered(small_device(12), {}, 1); }

/// Algorithm 1 with what it takes for the axis to matter.
Hypothesis under_which_matters(int axis) {
  Hypothesis hypothesis;
  if (matters(axis, hypothesis)) return hypothesis;
  for (const AxisLiteral& literal : axis_info(axis).matters_when[0]) {
    std::uint8_t& value = hypothesis.values[*find_axis(literal.axis)];
    if ((literal.values >> value & 1) == 0) value = std::countr_zero(literal.values);
  }
  return hypothesis;
}

/// What the device may have instead of the first value. Last resorts, which take longest, are
/// planted below.
std::vector<int> others_of(const Device& device, int axis) {
  std::vector<int> values;
  for (int value = 1; value < axis_size(axis); ++value) {
    const bool last_resort = last_resorts(axis) >> value & 1;
    if (!last_resort && available(device, axis, value)) values.push_back(value);
  }
  return values;
}

/// Some axes at once, each of which matters beside the others: as many inferences would be needed
/// of each alone.
TEST(Recovery, OfAChangeOfEachAxis) {
  const int at_once = is_thorough() ? 3 : 12;
  const int max_probes = is_thorough() ? InferenceOptions{}.max_probes : kTellingProbes;
  Rng rng(1);
  for (const bool of_clusters : {false, true}) {
    const Device device = with_small_sms(of_clusters ? clustered_device(8) : small_device(8));
    std::vector<int> left;
    for (int axis = 0; axis < kAxes; ++axis) {
      const bool here = (axis_info(axis).part == Part::clusters) == of_clusters;
      if (here && !others_of(device, axis).empty()) left.push_back(axis);
    }
    while (!left.empty()) {
      const int first = left.front();
      Hypothesis planted = under_which_matters(first);
      std::vector<int> changed;
      for (const int axis : left) {
        const Hypothesis more = planted.with(axis, pick_from(rng, others_of(device, axis)));
        changed.push_back(axis);
        if (std::ranges::all_of(changed, [&](int each) { return matters(each, more); })) {
          planted = more;
        } else {
          changed.pop_back();
        }
        if (std::ssize(changed) == at_once) break;
      }
      ASSERT_FALSE(changed.empty()) << axis_info(first).name;
      std::erase_if(left, [&](int axis) { return std::ranges::count(changed, axis) > 0; });
      expect_recovered(device, planted, first, max_probes);
    }
  }
}

TEST(Recovery, OfWhereClustersGo) {
  const std::vector<const char*> all{
      "cluster_gpc=fewest_blocks,cluster_gpc_order=largest_first,cluster_sms=tpc_interleaved",
      "tie_break=gpc_smallest_first,cluster_sharing=tpc_apart,cluster_cursor=shared",
      "cluster_sharing=shared,cluster_sms=fewest_blocks,cluster_wait=passed"};
  int max_probes = InferenceOptions{}.max_probes;
  for (const char* planted : all | std::views::take(is_thorough() ? 3 : 2)) {
    expect_recovered(with_small_sms(clustered_device(12)), hypothesis_from_text(planted), 3,
                     max_probes);
    if (!is_thorough()) max_probes = kTellingProbes;
  }
}

TEST(Recovery, OfAnOrderToBeLearned) {
  const Device device = small_device(8);
  Hypothesis planted;
  planted.set<TieBreak>(TieBreak::learned);
  planted.order = {3, 0, 7, 1, 6, 2, 5, 4};
  expect_recovered(device, planted, 2);
}

/// Shows nothing in its first session.
class SilentAtFirst : public SimulatedOracle {
 public:
  using SimulatedOracle::SimulatedOracle;

  std::vector<Answer> run(const Probe& probe, int repeat) override {
    if (session() > 0) return SimulatedOracle::run(probe, repeat);
    SimulatedOracle::run(probe, repeat);
    return std::vector<Answer>(repeat);
  }
};

TEST(Recovery, OfWhatTheSessionSoFarHides) {
  const Device device = small_device(4);
  Assumptions two{};
  two.allowed.fill(1);
  two.allowed[index_of<LocalMemory>()] =
      one_of(LocalMemory::grow_when_idle) | one_of(LocalMemory::ignored);
  Hypothesis planted;
  planted.set<LocalMemory>(LocalMemory::ignored);
  // What it is asked makes local memory grow, until nothing waits for it any more.
  SilentAtFirst oracle("planted", device, planted);
  const samples::Folder folder;
  Journal journal(folder.path("journal"), device, "planted");
  const Finding finding = infer(oracle, journal, two, {}, {});
  EXPECT_EQ(finding.verdict, Verdict::identified) << finding.reason;
  EXPECT_EQ(oracle.session(), 2 + 15);  // so many confirm
  ASSERT_TRUE(finding.mechanism);
  EXPECT_EQ(finding.mechanism->get<LocalMemory>(), LocalMemory::ignored);
}

/// Of large grids nothing is certain there: it takes what is likely to tell.
TEST(Recovery, OfBatchesWherePicksDrift) {
  const Device device = with_small_sms(small_device(8));
  Assumptions batches{};
  batches.allowed.fill(1);
  for (const int axis : {index_of<DispatchBatch>(), index_of<BatchMargin>(), index_of<BatchLag>(),
                         index_of<PairsInFlight>()}) {
    batches.allowed[axis] = (1u << axis_size(axis)) - 1;
  }
  for (const auto* planted :
       {"dispatch_batch=pair,pairs_in_flight=drifting,batch_margin=6",
        "dispatch_batch=pair,pairs_in_flight=drifting_from_two,batch_margin=0,batch_lag=0"}) {
    const Hypothesis truth = hypothesis_from_text(planted);
    if (is_thorough()) expect_recovered(small_device(8), truth, 1);
    SimulatedOracle oracle("planted", device, truth);
    const samples::Folder folder;
    Journal journal(folder.path("journal"), device, "planted");
    InferenceOptions options;
    options.max_probes = kTellingProbes / 2;  // of few axes
    const Finding finding = infer(oracle, journal, batches, options, {});
    for (const int axis : {index_of<DispatchBatch>(), index_of<BatchMargin>()}) {
      EXPECT_EQ(finding.surviving[axis], std::vector<int>{truth.values[axis]})
          << planted << ": " << name_of(finding.verdict) << ", " << finding.reason;
    }
  }
}

TEST(Recovery, OfRandomPoints) {
  Rng rng(3);
  for (int point = 0; point < drawn(6); ++point) {
    const Device device = with_small_sms(small_device(8 + 4 * (point % 4)));
    expect_recovered(device, random_hypothesis(device, rng), point);
  }
}

}  // namespace
}  // namespace cuvier
