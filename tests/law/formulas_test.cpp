// Formulas are values like those of the tables.

#include <gtest/gtest.h>

#include <map>

#include "hypotheses/assumptions.h"
#include "hypotheses/formulas/formula.h"
#include "hypotheses/values_of_proofs.h"
#include "solver/proof/equivalence.h"
#include "tests/law/drawn.h"
#include "tests/law/odd_formulas.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

/// A named value, and the same as a formula.
struct Twins {
  int axis;
  int named;
  int formula;
};

std::vector<Twins> all_twins() {
  std::vector<Twins> twins;
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int named = 0; named < named_values(axis); ++named) {
      const std::string formula(axis_info(axis).values[named].formula);
      if (!formula.empty()) twins.push_back({axis, named, formula_value(axis, formula)});
    }
  }
  return twins;
}

std::string name_of(const Twins& twins) {
  return fmt::format("{}={}", axis_info(twins.axis).name, axis_value(twins.axis, twins.named).name);
}

/// So that the laws look at each.
TEST(Formulas, OddOnesReadEveryName) {
  std::map<std::string, std::uint32_t> read;  // by axis
  for (const OddFormula& odd : odd_formulas()) {
    const FormulaInfo* const info = axis_info(*find_axis(odd.axis)).formula;
    ASSERT_NE(info, nullptr) << odd.axis;
    read[odd.axis] |= parse_formula(*info, odd.text).names;
  }
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    if (info.formula == nullptr) continue;
    for (std::size_t name = 0; name < info.formula->names.size(); ++name) {
      EXPECT_TRUE(read[std::string(info.name)] >> name & 1)
          << info.name << ": no odd formula reads " << info.formula->names[name].name;
    }
  }
}

/// Whether other devices have no such value.
bool needs_lone_tpcs(const Twins& twins) {
  return axis_value(twins.axis, twins.named).needs == Needs::lone_tpcs;
}

TEST(Formulas, OfNamedValuesPredictTheSame) {
  constexpr int hypotheses = 12;
  constexpr int probes = 25;
  for (const Twins& twins : all_twins()) {
    Rng rng(twins.axis);
    for (int i = 0; i < hypotheses; ++i) {
      const Device device = needs_lone_tpcs(twins) ? with_lone_tpcs()
                            : i % 2                ? clustered_device(8)
                                                   : small_device(4);
      if (!available(device, twins.axis, twins.named) ||
          !available(device, twins.axis, twins.formula)) {
        continue;
      }
      const Hypothesis drawn = random_hypothesis(device, rng);
      Simulator named(device, drawn.with(twins.axis, twins.named));
      Simulator formula(device, drawn.with(twins.axis, twins.formula));
      for (int p = 0; p < probes; ++p) {
        const Probe probe = random_probe(device, rng);
        ASSERT_EQ(named.run(probe), formula.run(probe))
            << name_of(twins) << ", " << describe(drawn);
      }
    }
  }
}

/// But in the queue, of clusters and of pairs in flight, where proofs say only that equal values
/// are alike.
TEST(Formulas, OfNamedValuesAreProvedTheSame) {
  for (const Twins& twins : all_twins()) {
    const Part part = axis_info(twins.axis).part;
    if (part == Part::queue || part == Part::clusters) continue;
    if (twins.axis == index_of<PairsInFlight>()) continue;
    Hypothesis base;
    if (outside_of_claims(base.with(twins.axis, twins.named)) ||
        outside_of_claims(base.with(twins.axis, twins.formula))) {
      continue;
    }
    const bool of_groups = twins.axis == index_of<GroupSelection>();
    if (of_groups) base.set<Hierarchy>(Hierarchy::tpc);
    const Device device =
        needs_lone_tpcs(twins) ? with_lone_tpcs() : small_device(of_groups ? 4 : 2);
    const Classes classes = classify(
        device, {base.with(twins.axis, twins.named), base.with(twins.axis, twins.formula)}, {},
        {});
    EXPECT_EQ(classes.classes[0].size(), 2) << name_of(twins) << ": " << classes.reason;
  }
}

bool proved_alike(const std::string& one, const std::string& other, int sms = 4) {
  const Classes classes =
      classify(small_device(sms), {hypothesis_from_text(one), hypothesis_from_text(other)}, {}, {});
  return classes.classes[0].size() == 2;
}

/// From any configurations, the same under both; pairs may go elsewhere once a block changed one.
TEST(Formulas, OfConfigurationsAreProvedTheSameWithoutPairs) {
  const std::string widens = "config_change=idle == 1 ? preferred : max(current, preferred)";
  EXPECT_TRUE(proved_alike(widens, "config_change=max(preferred, idle == 0 ? current : 0)"));
  EXPECT_TRUE(proved_alike(widens + ",config_gate=preferred", widens + ",config_gate=space_only"));
  EXPECT_FALSE(proved_alike(widens, "config_change=max(preferred, current)"));
  EXPECT_FALSE(proved_alike(widens, "algorithm-1"));
  EXPECT_FALSE(proved_alike(widens, widens + ",config_scope=sm"));
  const std::string in_order = "selection=first_fit,hierarchy=flat,tie_break=linear,";
  EXPECT_TRUE(proved_alike(in_order + "dispatch_batch=single", in_order + "dispatch_batch=pair"));
  EXPECT_FALSE(proved_alike(in_order + "dispatch_batch=single," + widens,
                            in_order + "dispatch_batch=pair," + widens));
}

TEST(Formulas, OfMarksAreProvedTheSameOrHaveNoReader) {
  const std::string by_mark = "hierarchy=flat,selection=mark,mark=";
  EXPECT_TRUE(proved_alike(by_mark + "mark + chosen", by_mark + "chosen == 1 ? mark + 1 : mark"));
  EXPECT_FALSE(proved_alike(by_mark + "mark + chosen", by_mark + "mark + gone"));
  const std::string lets_in = "admission=mark < 3,mark=";
  EXPECT_TRUE(proved_alike(lets_in + "mark + gone", lets_in + "gone + mark"));
  EXPECT_FALSE(proved_alike(lets_in + "mark + gone", lets_in + "mark + chosen"));
}

TEST(Formulas, OfRowsAreProvedAlike) {
  const std::string rows = "warp_layout=w";
  EXPECT_TRUE(proved_alike(rows, "warp_layout=max(w, 1)"));
  EXPECT_TRUE(proved_alike(rows, rows + ",pointer_reset=never"));
  EXPECT_TRUE(proved_alike(rows + ",register_layout=contiguous",
                           rows + ",register_layout=contiguous,pointer_reset=never"));
  EXPECT_FALSE(proved_alike(rows, "warp_layout=1"));
  EXPECT_FALSE(proved_alike(rows, "algorithm-1"));
  EXPECT_FALSE(proved_alike(rows, rows + ",warp_placement=skip_full"));
  // A block takes nothing from the SMs before its own.
  const std::string in_order = rows + ",selection=first_fit,hierarchy=flat,tie_break=linear,";
  EXPECT_TRUE(proved_alike(in_order + "dispatch_batch=single", in_order + "dispatch_batch=pair"));
}

/// Warps of a named placement go round by fours; those of a formula need not.
TEST(Formulas, OfWarpsAreToldApartByTheLastWarps) {
  const std::string by_turns = "warp_placement=p + i";
  EXPECT_TRUE(proved_alike(by_turns, by_turns + " + 4 * (i / 8)"));
  EXPECT_FALSE(proved_alike(by_turns, by_turns + " + i / 8"));
  EXPECT_FALSE(proved_alike(by_turns, by_turns + " + (i == 31 ? 1 : 0)"));
  if (!is_thorough()) return;
  // By each number of warps: a solver gave up on `w` as a divisor.
  EXPECT_TRUE(proved_alike(by_turns + " * 4 / w", by_turns + " * 4 / w,pointer_reset=never"));
}

/// Those that deal alike fit alike; who finds room wherever some is left, where there is enough.
TEST(Formulas, OfWarpsThatLookAroundAreProvedAlike) {
  const std::string placed = "warp_placement=";
  const std::string by_registers = placed + "w > 2 ? lightest : emptiest";
  EXPECT_TRUE(proved_alike(by_registers, placed + "w <= 2 ? emptiest : lightest"));
  EXPECT_TRUE(proved_alike(by_registers, by_registers + ",pointer_reset=never"));
  EXPECT_TRUE(proved_alike(placed + "min(roomiest, 3)", placed + "roomiest"));
  EXPECT_FALSE(proved_alike(placed + "roomiest", placed + "emptiest"));
  EXPECT_FALSE(proved_alike(placed + "lightest", placed + "emptiest"));
  EXPECT_FALSE(proved_alike(placed + "lightest", placed + "least_loaded"));
}

TEST(Formulas, OfPicksAreToldApartByWhatIsLeft) {
  const std::string in_order = "admission=blocks < 3,";
  EXPECT_TRUE(proved_alike(in_order + "batch_size=left > 8 ? 3 : 0",
                           in_order + "batch_size=left < 9 ? 1 : min(left, 3)"));
  EXPECT_FALSE(proved_alike(in_order + "batch_size=left > 8 ? 3 : 0",
                            in_order + "batch_size=left > 7 ? 3 : 1"));
  EXPECT_TRUE(proved_alike(in_order + "dispatch_batch=pair,batch_lag=0",
                           in_order + "batch_lag=0,batch_size=left > 8 ? 2 : 1", 2));
  EXPECT_FALSE(
      proved_alike("batch_size=3,pairs_in_flight=two", "batch_size=2,pairs_in_flight=two"));
}

/// Pairs make no difference where a block lets the key of its SM shrink, or stay, and no other's.
TEST(Formulas, OfSelectionAreKnownToStayWithAnSm) {
  const auto pairs_are_alike = [&](const std::string& selection) {
    const Hypothesis single = hypothesis_from_text("selection=" + selection);
    Hypothesis pair = single;
    pair.set<DispatchBatch>(DispatchBatch::pair);
    const Classes classes = classify(small_device(4), {single, pair}, {}, {});
    return classes.classes[0].size() == 2;
  };
  EXPECT_TRUE(pairs_are_alike("-warps"));
  EXPECT_TRUE(pairs_are_alike("(-blocks / 2, w >= 4 ? -(3 * own) : sm - min(warps, 9))"));
  EXPECT_TRUE(pairs_are_alike("-freed"));
  EXPECT_FALSE(pairs_are_alike("warps"));
  EXPECT_FALSE(pairs_are_alike("-tpc_blocks"));
  EXPECT_FALSE(pairs_are_alike("-(warps mod 8)"));
  EXPECT_FALSE(pairs_are_alike("-warps + 2 * blocks"));
  EXPECT_FALSE(pairs_are_alike("warps > 4 ? -warps : 0"));
}

/// An axis matters under a formula exactly where the formula reads what the axis says.
TEST(Formulas, WhatOneDoesNotReadDoesNotMatter) {
  const Device device = clustered_device(8);
  const std::vector<std::pair<std::string, std::string>> unread = {
      {"dispatch_batch=left > 3 * sms", "batch_margin"},
      {"dispatch_batch=blocks > 3 * sms", "batch_lag"},
      {"selection=warps + blocks", "room_warps"},
      {"selection=warps + blocks", "shared_room"},
      {"hierarchy=tpc,selection=warps,group_selection=warps + blocks", "room_warps"},
      {"hierarchy=tpc,selection=warps,group_selection=warps + blocks", "shared_room"},
      {"config_rounding=largest / 2", "config_occupancy"},
      {"warp_placement=i + w / 2", "pointer_skip"},
      {"warp_placement=i + w / 2", "pointer_reset"},
      {"cluster_gpc=blocks - sms", "cluster_cursor"},
      {"selection=warps + blocks", "cursor_reset"},
      {"batch_size=3", "dispatch_batch"},
      {"batch_size=left", "batch_margin"},
  };
  Rng rng(1);
  for (const auto& [text, name] : unread) {
    const int axis = *find_axis(name);
    const Hypothesis hypothesis = hypothesis_from_text(text);
    EXPECT_FALSE(matters(axis, hypothesis)) << name << " under " << text;
    for (int value = 1; value < named_values(axis); ++value) {
      EXPECT_EQ(first_difference(device, hypothesis, hypothesis.with(axis, value), 40, rng), -1)
          << name << " under " << text;
    }
  }
  const std::vector<std::pair<std::string, std::string>> read = {
      {"dispatch_batch=left > sms + margin", "batch_margin"},
      {"dispatch_batch=left > 3 * sms", "batch_lag"},
      {"selection=(blocks, -room)", "room_warps"},
      {"hierarchy=tpc,selection=warps,group_selection=-2 * room", "shared_room"},
      {"config_rounding=(up + largest) / 2", "config_occupancy"},
      {"warp_placement=p + 3 * i", "pointer_skip"},
      {"warp_placement=p + 3 * i", "pointer_reset"},
      {"cluster_gpc=-turn", "cluster_cursor"},
      {"selection=turn / 2", "cursor_reset"},
      {"batch_size=3", "pairs_in_flight"},
      {"selection=(-room, mark)", "mark"},
      {"admission=mark < 3", "mark"},
  };
  for (const auto& [text, name] : read) {
    EXPECT_TRUE(matters(*find_axis(name), hypothesis_from_text(text))) << name << " under " << text;
  }
}

/// A formula differs from Algorithm 1's value, so random sequences tell them apart.
TEST(Formulas, OddOnesShow) {
  for (const OddFormula& odd : odd_formulas()) {
    const int axis = *find_axis(odd.axis);
    const bool of_clusters =
        axis_info(axis).part == Part::clusters || odd.text.find("cluster") != odd.text.npos;
    const Device device = of_clusters ? clustered_device(8) : small_device(6);
    Hypothesis planted;
    // Where the axis's first value leaves nothing to see of it.
    if (odd.axis == "pairs_in_flight") planted.set<DispatchBatch>(DispatchBatch::pair);
    if (odd.axis == "group_selection") planted.set<Hierarchy>(Hierarchy::tpc);
    if (odd.axis == "cursor_reset") planted.set<Selection>(Selection::round_robin);
    if (odd.axis == "shared_room") planted.set<SharedPlacement>(SharedPlacement::best_fit);
    if (odd.axis == "mark") {
      planted = hypothesis_from_text("selection=(mark, -room)");
    } else if (odd.text.find("mark") != odd.text.npos) {
      planted = hypothesis_from_text("mark=mark + chosen");
    }
    Simulator algorithm_1(device, planted);
    Simulator with_formula(device, planted.with(axis, formula_value(axis, odd.text)));
    Rng rng(1);
    int differing = 0;
    for (int p = 0; p < 2000 && differing == 0; ++p) {
      const Probe probe = random_probe(device, rng);
      differing += placements(algorithm_1, probe) != placements(with_formula, probe);
    }
    EXPECT_GT(differing, 0) << odd.axis << "=" << odd.text;
  }
}

}  // namespace
}  // namespace cuvier
