// Which choices among SMs are proved to be one.

#include "solver/proof/choice_proof.h"
#include "tests/law/planted.h"
#include "tests/law/proved_alike.h"

namespace cuvier {
namespace {

TEST(Equivalence, OfChoicesThatAskTheSame) {
  expect_alike("rtx3090", {"hierarchy=tpc,group_selection=first_fit",
                           "hierarchy=tpc,group_selection=smallest_first",
                           "hierarchy=tpc,group_selection=first_fit,tie_break=linear"});
}

TEST(Equivalence, OfChoicesThatLeadToTheSameSm) {
  expect_alike("rtx3090", {"selection=first_fit,tie_break=linear",
                           "selection=first_fit,tie_break=linear,hierarchy=tpc,"
                           "group_selection=first_fit"});
  const std::string gpcs = "selection=first_fit,hierarchy=gpc,group_selection=";
  EXPECT_EQ(classes_of(small_device(14), {"selection=first_fit,tie_break=gpc_smallest_first",
                                          gpcs + "smallest_first,tie_break=linear",
                                          gpcs + "first_fit,tie_break=gpc_smallest_first"})
                .classes.size(),
            1u);
}

/// The first SM that fits, or the first of the first TPC in which one does: the same for all
/// answers exactly if no TPC's SMs have another's between them.
TEST(Equivalence, OfAFlatChoiceAndOneOfGroupsIsThatOfTheirOrders) {
  const Device device = small_device(6);
  Rng rng(5);
  int alike = 0;
  constexpr int orders = 60;
  for (int i = 0; i < orders; ++i) {
    Hypothesis flat = hypothesis_from_text("selection=first_fit");
    flat.set<TieBreak>(TieBreak::learned);
    learn_any_order(device, flat, rng);
    bool together = true;
    for (int at = 0; at < device.sms; at += 2) {
      together = together && flat.order[at] / 2 == flat.order[at + 1] / 2;
    }
    Hypothesis grouped = flat;
    grouped.set<Hierarchy>(Hierarchy::tpc);
    grouped.set<GroupSelection>(GroupSelection::first_fit);
    const auto lemma = same_choices(device, flat, grouped);
    ASSERT_TRUE(lemma);
    const bool proved =
        lemma->evident() || ask_z3(lemma->lemma().smt2).kind == SmtAnswer::Kind::unsat;
    EXPECT_EQ(proved, together) << testing::PrintToString(flat.order);
    alike += proved;
  }
  EXPECT_GT(alike, 1);
  EXPECT_LT(alike, orders / 2);
}

/// A rule that reads a count by its remainder alone is asked for each that there is; one that reads
/// more of it is not: these two part once all SMs had a block.
TEST(Equivalence, OfRemaindersIsThatForEachRemainder) {
  const Device device = small_device(6);
  const std::string home = "selection=(sm - placed) mod sms";
  const auto alike = [&](const std::string& a, const std::string& b) {
    const auto lemma = same_choices(device, hypothesis_from_text(a), hypothesis_from_text(b));
    return lemma &&
           (lemma->evident() || ask_z3(lemma->lemma().smt2).kind == SmtAnswer::Kind::unsat);
  };
  EXPECT_TRUE(alike(home + ",tie_break=linear", home + ",tie_break=linear_reversed"));
  EXPECT_TRUE(alike(home, "selection=(sm + sms - placed) mod sms"));
  EXPECT_FALSE(alike(home, "selection=(sm - placed - 1) mod sms"));
  EXPECT_FALSE(alike(home, home + " + (placed >= sms ? 9 * sm : 0)"));
  EXPECT_FALSE(alike(home, "selection=(sm - placed / 2) mod sms"));
}

/// Blocks that are numbered by which SMs were equals show what these were compared by.
TEST(Equivalence, OfChoicesIsNoMatterOfTheSmAloneWhereEqualsAreNumbered) {
  const std::string first = "selection=first_fit,hierarchy=flat,tie_break=linear,numbering=";
  const std::string by_rank = "selection=rank,hierarchy=flat,tie_break=linear,numbering=";
  const auto classes = [](const std::vector<std::string>& texts) {
    return classes_of(with_lone_tpcs(), texts).classes.size();
  };
  EXPECT_EQ(classes({first + "as_chosen", by_rank + "as_chosen"}), 1u);
  EXPECT_EQ(classes({first + "by_gpc", by_rank + "by_gpc"}), 2u);
  EXPECT_EQ(classes({first + "as_chosen", first + "as_chosen,dispatch_batch=pair"}), 1u);
  EXPECT_EQ(classes({first + "by_gpc", first + "by_gpc,dispatch_batch=pair"}), 2u);
}

TEST(Equivalence, OfOrdersThatAreOneOnTheDevice) {
  Device device = clustered_device(8);
  const std::vector<std::string> orders{"cluster_gpc_order=smallest_first",
                                        "cluster_gpc_order=lowest_sm",
                                        "cluster_gpc_order=largest_first"};
  EXPECT_EQ(classes_of(device, orders).classes.size(), 2u) << "the larger one has the lowest SM";
  device.gpc_of_sm = {0, 0, 0, 0, 1, 1, 1, 1};
  EXPECT_EQ(classes_of(device, orders).classes.size(), 1u);
  EXPECT_EQ(classes_of(device, {"tie_break=linear", "tie_break=gpc_smallest_first"}).classes.size(),
            1u);
}

TEST(Equivalence, IsNotClaimedOfChoicesThatAskOtherQuestions) {
  const Device device = small_device(8);
  const Hypothesis flat = hypothesis_from_text("selection=first_fit");
  for (const char* grouped : {"selection=first_fit,hierarchy=gpc,group_selection=first_fit",
                              "selection=first_fit,hierarchy=tpc,group_selection=round_robin"}) {
    EXPECT_TRUE(choice_differs(device, flat, hypothesis_from_text(grouped))) << grouped;
    EXPECT_TRUE(choice_differs(device, hypothesis_from_text(grouped), flat)) << grouped;
  }
}

}  // namespace
}  // namespace cuvier
