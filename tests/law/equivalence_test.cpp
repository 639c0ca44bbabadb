// What is proved to be one behaviour is one: no probe tells its members apart.

#include "solver/proof/equivalence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/neighbours.h"
#include "probes/json_fields.h"
#include "solver/query_selection/random_distinction.h"
#include "tests/law/drawn.h"
#include "tests/law/proved_alike.h"
#include "tests/law/used_device.h"
#include "tests/law/wide_probes.h"

namespace cuvier {
namespace {

TEST(Equivalence, OfWhatAnIdleSmForgets) {
  expect_alike("rtx3090",
               {"pointer_reset=sm_idle", "pointer_reset=device_idle", "pointer_reset=never"});
  expect_alike("h200", {"warp_placement=skip_full,register_layout=contiguous",
                        "warp_placement=skip_full,register_layout=contiguous,pointer_reset=never"});
}

/// Who checks a certificate works its lemmas out again.
TEST(Equivalence, ALemmaIsTheSameWhateverWasProvedBefore) {
  const auto lemmas = [] {
    std::vector<std::string> texts;
    const Classes result =
        classes_of(find_device("rtx3090"), {"pointer_reset=sm_idle", "pointer_reset=never"});
    for (const Lemma& lemma : result.proof->lemmas) {
      texts.push_back(lemma.smt2);
    }
    return texts;
  };
  const auto before = lemmas();
  EXPECT_FALSE(before.empty());
  classes_of(find_device("rtx3090"), {"warp_placement=skip_full,selection=fewest_warps",
                                      "warp_placement=skip_full,selection=fewest_warps,"
                                      "pointer_reset=never"});
  EXPECT_EQ(lemmas(), before);
}

TEST(Equivalence, OfPointersThatNeverMove) {
  expect_alike("rtx3090", {"warp_placement=fixed_start", "pointer_skip=restart"});
}

TEST(Equivalence, OfWarpsThatOnlyAddUp) {
  const std::string pool = "register_pool=per_sm,selection=fewest_warps,warp_placement=";
  expect_alike("rtx3090", {pool + "skip_full", pool + "least_loaded",
                           pool + "skip_full,pointer_skip=even,pointer_reset=never"});
}

TEST(Equivalence, OfConfigurationsThatNeverChange) {
  expect_alike("rtx3090", {"config_scope=none", "config_rounding=largest",
                           "config_rounding=largest,config_gate=space_only",
                           "config_scope=none,config_occupancy=single_block"});
  expect_alike("rtx3090", {"config_occupancy=single_block",
                           "config_occupancy=single_block,config_gate=space_only"});
}

/// Four times the register limit is no limit there: that takes what a quotient is.
TEST(Equivalence, OfConfigurationsThatNoRegisterCountLimits) {
  for (const char* rounding : {"power_of_two", "up_to_supported"}) {
    const std::string rounded = fmt::format("config_rounding={},config_occupancy=", rounding);
    expect_alike("rtx2080ti", {rounded + "ignore_registers", rounded + "quadrupled_registers"});
  }
}

/// An SM that is configured for one block exactly never holds two: only idle ones answer.
TEST(Equivalence, OfSmsThatHoldOneBlock) {
  const std::string one =
      "selection=next_fit,config_rounding=exact,config_occupancy=single_block,config_scope=sm";
  expect_alike("rtx3090", {one, one + ",shared_placement=fragmented", one + ",register_pool=per_sm",
                           one + ",pointer_skip=none", one + ",warp_placement=least_loaded",
                           one + ",register_layout=contiguous,config_gate=space_only"});
  // Blocks without shared memory stay beside it, and those that would take more than one
  // subpartition has left never come.
  for (const char* other : {",runtime_shared=0", ",register_granularity=1024"}) {
    const auto texts = {one + other, one + other + ",pointer_skip=none", one};
    EXPECT_GT(classes_of(find_device("rtx3090"), texts).classes.size(), 1u) << other;
  }
}

/// What an H100 does: where the latest block ended, and what SMs had that became idle just now, is
/// among what corresponds.
TEST(Equivalence, OfWhatOnlyAnH100Does) {
  const std::string hopper = "hopper-as-recorded";
  expect_alike("h200", {hopper, hopper + ",pointer_reset=never", hopper + ",cursor_reset=never",
                        hopper + ",config_change=idle == 0 or emptied == 1 and preferred <= "
                                 "current ? current : target"});
  for (const char* changed :
       {",shared_placement=first_fit", ",config_change=when_idle", ",config_target=preferred",
        ",numbering=as_chosen", ",cluster_limit=none",
        ",config_change=idle == 1 ? max(target, emptied * current) : current"}) {
    EXPECT_EQ(classes_of(find_device("h200"), {hopper, hopper + changed}).classes.size(), 2u)
        << changed;
  }
}

TEST(Equivalence, OfRoomWhereTheFirstSubpartitionIsTheFullest) {
  expect_alike("rtx3090", {"warp_placement=fixed_start,room_warps=balanced_blocks",
                           "warp_placement=fixed_start", "pointer_skip=restart"});
  expect_alike("h200",
               {"warp_placement=fixed_start,register_pool=per_sm,register_layout=contiguous",
                "warp_placement=fixed_start,register_pool=per_sm,register_layout=contiguous,"
                "room_warps=balanced_blocks"});
}

/// Where clusters go is asked of SMs, of resident blocks and of cursors: whatever it is, two
/// devices that correspond are asked the same.
TEST(Equivalence, WhateverClustersDo) {
  for (const char* clusters :
       {"cluster_sharing=shared", "cluster_cursor=shared", "cluster_wait=passed",
        "cluster_sharing=shared,cluster_cursor=shared,cluster_wait=passed"}) {
    const std::string grouped =
        clusters + std::string(",hierarchy=gpc,group_selection=round_robin,tie_break=");
    const std::vector<std::string> alike{grouped + "linear", grouped + "gpc_round_robin",
                                         grouped + "linear,pointer_reset=never"};
    EXPECT_EQ(classes_of(clustered_device(8), alike).classes.size(), 1u) << clusters;
  }
}

TEST(Equivalence, OfPairsThatStayTogetherAnyway) {
  for (const char* single :
       {"selection=first_fit", "selection=next_fit", "selection=most_warps", "selection=most_used",
        "selection=most_warps,queue=skip_ahead,warp_placement=least_loaded",
        "selection=next_fit,queue=skip_ahead,cursor_reset=kernel,warp_placement=least_loaded",
        "selection=most_warps,hierarchy=tpc,group_selection=first_fit"}) {
    expect_alike("rtx3090", {single, single + std::string(",dispatch_batch=pair")});
  }
}

TEST(Equivalence, IsNotClaimedOfPairsThatMayPart) {
  const std::string single = "selection=most_warps,queue=skip_ahead";  // the pointer moves between
  EXPECT_EQ(
      classes_of(find_device("rtx3090"), {single, single + ",dispatch_batch=pair"}).classes.size(),
      2u);
}

/// Clusters ahead in the queue are tried between the two blocks, and may fit then.
TEST(Equivalence, OfPairsIsThatWhichClustersAheadLeave) {
  const Device device = clustered_device(8);
  const auto classes = [&](const std::string& single) {
    return classes_of(device, {single, single + ",dispatch_batch=pair"}).classes.size();
  };
  const std::string passed = "selection=first_fit,cluster_wait=passed";
  EXPECT_EQ(classes("selection=first_fit"), 1u);
  EXPECT_EQ(classes(passed), 2u) << "the pointer moves between";
  EXPECT_EQ(classes(passed + ",warp_placement=least_loaded"), 1u);
  EXPECT_EQ(classes(passed + ",warp_placement=least_loaded,cluster_sharing=shared"), 1u);
}

TEST(Equivalence, IsNotClaimedOfWhatAChannelShows) {
  const std::vector<std::string> resets{"pointer_reset=sm_idle", "pointer_reset=never"};
  EXPECT_EQ(classes_of(find_device("rtx3090"), resets, {"warp_slot"}).classes.size(), 2u);
  const std::vector<std::string> occupancies{"config_scope=none",
                                             "config_scope=none,config_occupancy=single_block"};
  EXPECT_EQ(classes_of(find_device("rtx3090"), occupancies, {"shared_config"}).classes.size(), 2u);
}

/// A walk that never returns to its start shows only the cycle that it goes round; local memory
/// that suffices for everything is not waited for.
TEST(Equivalence, OfWhatOnlyTheStartOfASessionShows) {
  const Device device = small_device(8);
  Simulator used(device, {});
  const auto opening = opening_by(used, full_grid(device, most_local));
  const auto without_local = opening_by(used, full_grid(device, most_local / 2));
  const Probe small{"small", {samples::kernel("k", 1, 32)}, {{0, {}}}};
  const auto of_one_sm = opening_by(used, small);
  const auto classes = [&](const std::vector<std::string>& texts,
                           const InitialObservation* opening) {
    return classes_of(device, texts, {}, opening).classes.size();
  };
  for (const char* walk : {"round_robin", "next_fit", "sticky_round_robin"}) {
    const std::string never = fmt::format("selection={},cursor_reset=never,tie_break=", walk);
    const std::vector<std::string> cycle{never + "tpc_interleaved",
                                         never + "tpc_interleaved_odd_first"};
    EXPECT_EQ(classes(cycle, opening.get()), 1u) << walk;
    EXPECT_EQ(classes(cycle, of_one_sm.get()), 2u) << "of groups, the others' cursors may be there";
    EXPECT_EQ(classes(cycle, nullptr), 2u) << walk;
    EXPECT_EQ(classes({never + "tpc_interleaved", never + "linear"}, opening.get()), 2u) << walk;
    const std::string resets = fmt::format("selection={},tie_break=", walk);
    EXPECT_EQ(
        classes({resets + "tpc_interleaved", resets + "tpc_interleaved_odd_first"}, opening.get()),
        2u);
  }
  const std::vector<std::string> local{"local_memory=grow_when_idle", "local_memory=ignored"};
  EXPECT_EQ(classes(local, opening.get()), 1u);
  EXPECT_EQ(classes(local, without_local.get()), 2u);
  EXPECT_EQ(classes(local, nullptr), 2u);
  EXPECT_EQ(classes({"local_memory=grow_when_idle", "local_memory=set_when_idle"}, opening.get()),
            2u);
  EXPECT_EQ(classes_of(device, local, {}, opening.get()).proof->claim,
            "On 8 SMs, in sessions that begin once every SM got a block and with local memory for "
            "all that kernels ask for (8192 bytes a thread), no sequence of probes tells apart "
            "algorithm-1; local_memory=ignored.");
}

TEST(Equivalence, NothingIsClaimedOfWhoIsAlone) {
  const Device device = small_device(8);
  EXPECT_FALSE(classes_of(device, {"algorithm-1", "queue=skip_ahead"}).proof);
  const Classes some =
      classes_of(device, {"algorithm-1", "queue=skip_ahead", "pointer_reset=never"});
  ASSERT_EQ(some.classes.size(), 2u);
  EXPECT_EQ(some.proof->claim,
            "On 8 SMs, no sequence of probes tells apart algorithm-1; pointer_reset=never.");
}

TEST(Equivalence, NamesTheQueryThatTookTooLong) {
  const Device device = find_device("rtx3090");
  const Classes result =
      classify(device, {{}, hypothesis_from_text("pointer_reset=never")}, {}, {.seconds = 1e-6}, 2);
  EXPECT_EQ(result.classes.size(), 2u);
  EXPECT_TRUE(result.gave_up);
  EXPECT_THAT(result.reason, testing::HasSubstr("Z3 gave up on warps-"));
}

/// Each pair parts on some sequence; few blocks tell, so only the proofs are asked.
TEST(Equivalence, IsNotClaimedOfWhatFewBlocksTellApart) {
  struct Pair {
    std::string device;
    std::string both;
    std::string one = {};
    std::string other;
  };
  const std::string rarely_two = "batch_size=left == 778 and w == 8 ? 2 : 1";
  const Pair pairs[] = {
      {"v100", "selection=since", "cursor_reset=never", "cursor_reset=w == 17 and left == 3"},
      {"v100", "selection=received", "cursor_reset=never", "cursor_reset=left == 301"},
      {"v100", "selection=(sm + picks) mod sms", "cursor_reset=never", "cursor_reset=left == 301"},
      {"v100",
       "queue=left mod 2 == 0,selection=first_fit,config_scope=none,warp_placement=fixed_start", "",
       rarely_two},
      {"v100", "local_memory=held > 100000,selection=first_fit", "", rarely_two},
      {"v100", "hierarchy=sm,selection=most_warps,group_selection=fewest_warps", "", rarely_two},
      {"v100", "pairs_in_flight=drifting", "dispatch_batch=left > 100000,batch_lag=0",
       "batch_size=left > 100000 ? 2 : 1"},
      {"h200", "numbering=by_gpc", "", "admission=placed < grid or w != 19"},
  };
  for (const auto& [device, both, one, other] : pairs) {
    const auto with = [&](const std::string& more) {
      return hypothesis_from_text(more.empty() ? both : both + ',' + more);
    };
    const Classes result = classify(find_device(device), {with(one), with(other)}, {}, {}, 2);
    EXPECT_EQ(result.classes.size(), 2U) << both << ": " << one << " and " << other;
  }
}

/// What a solver did not say of one question says nothing of the next.
TEST(Equivalence, IsNotClaimedOnceASolverGaveUp) {
  const Device device = find_device("rtx3090");
  const std::vector<Hypothesis> two = {hypothesis_from_text("config_scope=sm"),
                                       hypothesis_from_text("config_scope=sm,pointer_reset=never")};
  const ToldApart nothing_known = [](const Hypothesis&, const Hypothesis&) {
    return std::string();
  };
  const Classes result = classify(device, two, {}, {.seconds = 1e-6}, 2, nullptr, nothing_known);
  EXPECT_EQ(result.classes.size(), 2u);
  EXPECT_THAT(result.reason, testing::HasSubstr("Z3 gave up on warps-"));
}

TEST(Equivalence, EndsBetweenQueries) {
  const Device device = find_device("rtx3090");
  SmtLimits limits;
  int looks = 0;
  limits.task = Task([&](const std::string&) { return ++looks < 2 ? "" : "enough"; });
  const Classes result =
      classify(device, {{}, hypothesis_from_text("config_gate=space_only")}, {}, limits, 2);
  EXPECT_EQ(looks, 2);
  EXPECT_TRUE(result.gave_up);
  EXPECT_THAT(result.reason, testing::HasSubstr("it was ended early"));
}

/// The axes that say what survives between probes, and what is made of that.
using SurvivingAxes = AxisList<LocalMemory, Hierarchy, Selection, GroupSelection, GroupTurn,
                               TieBreak, CursorReset, WarpPlacement, PointerSkip, PointerReset>;

template <class... Axes>
Hypothesis with_values_of(Hypothesis h, const Hypothesis& other, AxisList<Axes...>) {
  ((h.values[index_of<Axes>()] = other.values[index_of<Axes>()]), ...);
  return h;
}

/// Of random hypotheses and each of their neighbours, those that are proved alike show the same
/// on random sequences of probes, which are drawn by nothing that the prover itself draws by.
/// `used`: in sessions that open where others left the device.
void expect_no_difference(bool used) {
  const int points = used ? 4 : 8;
  constexpr int probes = 150;
  Rng rng(13);
  int proved = 0;
  for (int point = 0; point < points; ++point) {
    const bool is_hopper = point >= 6;
    const Device device = is_hopper        ? with_clusters(with_lone_tpcs())
                          : point % 4 == 2 ? clustered_device(8)
                          : point % 2 == 0 ? small_device(8)
                                           : small_device(2);
    Hypothesis planted = random_hypothesis(device, rng);
    if (is_hopper) planted = with_hopper_values(planted, rng);
    std::shared_ptr<const InitialObservation> opening;
    if (used) {
      planted.set<CursorReset>(CursorReset::never);
      planted.set<Selection>(point < 2 ? Selection::round_robin : Selection::next_fit);
      // Any state of the device will do, also one that this hypothesis would not bring about.
      Simulator other(device, hypothesis_from_text("pointer_skip=none,pointer_reset=never"));
      for (int i = 0; i < 5; ++i) other.run(random_probe(device, rng));
      opening = opening_by(other, full_grid(device, most_local));
      ASSERT_TRUE(opening);
    }
    std::vector<Hypothesis> all = single_axis_changes(device, planted, rng);
    if (used) {
      std::erase_if(all, [&](const Hypothesis& other) {
        return with_values_of(other, planted, SurvivingAxes{}).values != planted.values;
      });
    }
    if (!is_thorough()) std::erase_if(all, [&](const auto&) { return uniform(rng, 0, 2) > 0; });
    all.insert(all.begin(), planted);
    const Classes result =
        classify(device, all, {}, {}, static_cast<int>(all.size()), opening.get(),
                 told_apart_by_families(device, {}, opening.get()));
    proved += expect_shown_alike(device, result, probes, rng, opening.get());
  }
  EXPECT_GT(proved, points);
}

TEST(Equivalence, IsSeenInNoPrediction) { expect_no_difference(false); }

TEST(Equivalence, IsSeenInNoPredictionAfterAnOpening) { expect_no_difference(true); }

}  // namespace
}  // namespace cuvier
