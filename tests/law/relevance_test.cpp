// matters() against prediction: an axis that does not matter changes nothing, and one that
// does can be seen to.

#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <set>

#include "tests/law/drawn.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Relevance, AnAxisThatDoesNotMatterChangesNoPrediction) {
  const int threes = formula_value(index_of<BatchSize>(), "3");
  formula_value(index_of<ConfigChange>(), "max(current, preferred)");
  formula_value(index_of<Mark>(), "mark + chosen");
  const std::array devices{clustered_device(8), with_clusters(with_lone_tpcs())};
  Rng rng(1);
  std::set<int> axes_tried;
  for (int point = 0; point < drawn(450); ++point) {
    const Device& device = devices[point % 3 == 2];
    Hypothesis hypothesis = random_hypothesis(device, rng);
    if (point % 3 == 2) hypothesis = with_hopper_values(hypothesis, rng);
    if (point % 10 == 0) hypothesis.values[index_of<BatchSize>()] = threes;
    for (int axis = 0; axis < kAxes; ++axis) {
      if (matters(axis, hypothesis)) continue;
      axes_tried.insert(axis);
      Hypothesis other = hypothesis;
      const int step = uniform(rng, 1, axis_size(axis) - 1);
      other.values[axis] = static_cast<std::uint8_t>((other.values[axis] + step) % axis_size(axis));
      ASSERT_EQ(first_difference(device, hypothesis, other, 30, rng), -1)
          << axis_info(axis).name << " matters under " << describe(hypothesis);
    }
  }
  for (int axis = 0; axis < kAxes; ++axis) {
    EXPECT_EQ(axes_tried.contains(axis), !axis_info(axis).matters_when.empty())
        << axis_info(axis).name;
  }
}

TEST(Relevance, TheCanonicalFormPredictsTheSame) {
  const std::array devices{clustered_device(8), with_clusters(with_lone_tpcs())};
  Rng rng(2);
  for (int point = 0; point < drawn(750); ++point) {
    const Device& device = devices[point % 3 == 2];
    Hypothesis hypothesis = random_hypothesis(device, rng);
    if (point % 3 == 2) hypothesis = with_hopper_values(hypothesis, rng);
    ASSERT_EQ(first_difference(device, hypothesis, canonical(hypothesis), 20, rng), -1)
        << describe(hypothesis);
  }
}

TEST(Relevance, WhoDiffersInWhatWasNotReadPredictsTheSame) {
  const Device device = clustered_device(8);
  Rng rng(3);
  std::set<int> alike;
  for (int point = 0; point < drawn(200); ++point) {
    const Hypothesis hypothesis = random_hypothesis(device, rng);
    Simulator simulator(device, hypothesis);
    for (int draw = 0; draw < 3; ++draw) {
      const Probe probe = random_probe(device, rng);
      const Observation seen = simulator.preview(probe);
      for (int axis = 0; axis < kAxes; ++axis) {
        if (axis_size(axis) == 1) continue;
        Hypothesis other = hypothesis;
        const int step = uniform(rng, 1, axis_size(axis) - 1);
        other.values[axis] =
            static_cast<std::uint8_t>((other.values[axis] + step) % axis_size(axis));
        if (!available(device, axis, other.values[axis])) continue;
        if (axis == index_of<TieBreak>()) learn_any_order(device, other, rng);
        if (!simulator.is_as_under(other)) continue;
        alike.insert(axis);
        ASSERT_EQ(Simulator(device, other).preview(probe), seen)
            << axis_info(axis).name << " does not matter under " << describe(hypothesis) << "\n"
            << to_json(probe).dump();
      }
    }
  }
  EXPECT_GT(alike.size(), 15U);
}

/// Nobody sees where the pointer of an idle SM stands: without warp slots, turning all
/// subpartitions alike shows nothing.
bool is_unobservable(int axis) { return axis == index_of<PointerReset>(); }

/// Algorithm 1, changed as little as makes the axis matter.
Hypothesis base_for(int axis) {
  Hypothesis base;
  if (matters(axis, base)) return base;
  for (const AxisLiteral& literal : axis_info(axis).matters_when.front()) {
    const int other = *find_axis(literal.axis);
    // A formula that reads what the axis says, where no named value does.
    base.values[other] = static_cast<std::uint8_t>(
        literal.values != 0 ? std::countr_zero(literal.values)
                            : formula_value(other, std::string(axis_info(axis).name)));
  }
  return base;
}

TEST(Relevance, EveryValueThatMattersCanBeSeen) {
  const Device usual = clustered_device(8);
  // Of few GPCs, so that each gets clusters of many blocks.
  Device lone = with_clusters(small_device(36));
  lone.gpc_of_sm = std::vector(36, 1);
  lone.gpc_of_sm[0] = lone.gpc_of_sm[1] = 0;
  lone.gpc_of_sm[34] = lone.gpc_of_sm[35] = 2;
  std::vector<std::string> unseen;
  for (int axis = 0; axis < kAxes; ++axis) {
    const Hypothesis base = base_for(axis);
    ASSERT_TRUE(matters(axis, base)) << axis_info(axis).name;
    for (int value = 0; value < axis_size(axis); ++value) {
      Hypothesis changed = base;
      changed.values[axis] = static_cast<std::uint8_t>(value);
      if (changed == base || is_unobservable(axis)) continue;
      const Device& device = available(usual, axis, value) ? usual : lone;
      ASSERT_TRUE(available(device, axis, value)) << describe(changed);
      if (leaves_open(changed)) continue;  // it shows by chance: drift_test.cpp
      if (changed.get<TieBreak>() == TieBreak::learned) {
        changed.order = named_order(device, TieBreak::linear_reversed);
        std::swap(changed.order[0], changed.order[1]);
      }
      Rng rng(3);
      if (first_difference(device, base, changed, 6000, rng) < 0) {
        unseen.push_back(describe(changed));
      }
    }
  }
  EXPECT_THAT(unseen, IsEmpty());
}

/// What placements cannot show, warp slots do.
TEST(Relevance, WarpSlotsShowThePointerOfAnIdleSm) {
  const Kernel one_warp{"", 1, 32, 32, 0, 0, 0, std::nullopt};
  Probe probe{"one warp after another", {one_warp, one_warp, one_warp}, {}};
  probe.script = {{0, {}}, {1, {}}, {{}, {{0, {}}}}, {2, {}}};
  const auto slots = [&](PointerReset::Value reset) {
    Hypothesis hypothesis;
    hypothesis.set<PointerReset>(reset);
    Simulator simulator(small_device(2), hypothesis);
    std::vector<int> slots;
    for (int run = 0; run < 2; ++run) {
      slots.push_back(simulator.run(probe).steps[3].started[0].warp_slot[0][0]);
    }
    return slots;
  };
  EXPECT_THAT(slots(PointerReset::sm_idle), ElementsAre(0, 0));
  EXPECT_THAT(slots(PointerReset::device_idle), ElementsAre(1, 1));
  EXPECT_THAT(slots(PointerReset::never), ElementsAre(1, 3));
}

}  // namespace
}  // namespace cuvier
