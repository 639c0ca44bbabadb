// What other people measured on real GPUs: conclusions are stated here, the data is theirs.

#include <gmock/gmock.h>

#include "solver/check/check.h"
#include "solver/evidence/corrected_space.h"
#include "solver/finding/mismatches.h"
#include "solver/space/version_space.h"
#include "tests/case/golden.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Recordings of one GPU.
class Recordings : public ::testing::Test {
 protected:
  void read(const std::string& gpu) {
    set_ = read_recordings(std::string(CUVIER_SOURCE_DIR) + "/corpus/" + gpu + "/wilde.jsonl");
  }

  void keep_only(const std::function<bool(const std::string&)>& wanted) {
    std::erase_if(set_.recordings, [&](const Recording& r) { return !wanted(r.name()); });
  }

  Finding check_all() const { return check_under(Assumptions::all(set_.device)); }

  /// Before it was known that several picks may be in flight.
  Finding check_one_in_flight() const {
    Assumptions assumptions = Assumptions::all(set_.device);
    assumptions.restrict_by("pairs_in_flight=one");
    return check_under(assumptions);
  }

  Finding check_under(const Assumptions& assumptions) const {
    return check({set_}, assumptions, {});
  }

  /// The hypothesis predicts every fact, each member of what is left as well.
  void expect_explained_by(const std::string& hypothesis) const {
    EXPECT_THAT(mismatches(set_, hypothesis_from_text(hypothesis)), IsEmpty());
    VersionSpace space(set_.device, Assumptions::all(set_.device));
    for (const Recording& recording : set_.recordings) space.observe(recording);
    EXPECT_TRUE(space.contains(hypothesis_from_text(hypothesis)));
  }

  RecordingSet set_;
};

class Rtx3090 : public Recordings {
 protected:
  void SetUp() override { read("rtx3090"); }
};

class A100 : public Recordings {
 protected:
  void SetUp() override { read("a100"); }

  /// Large grids in which more and more picks are in flight.
  static bool drifts(const std::string& name) {
    return name == "a100-test2-648" || name == "a100-test2-756" || name == "a100-test2-864";
  }
};

class Rtx2080Ti : public Recordings {
 protected:
  void SetUp() override { read("rtx2080ti"); }
};

TEST_F(Rtx3090, Algorithm1DoesNotExplainIt) {
  expect_golden("rtx3090_under_algorithm_1", in_lines(mismatches(set_, Hypothesis{})));
}

TEST_F(Rtx3090, WhatSurvives) {
  expect_golden("rtx3090", in_lines(check_all()));
  expect_explained_by("rtx3090-as-recorded");
}

TEST_F(Rtx3090, SurvivorsPredictEveryFact) {
  VersionSpace space(set_.device, Assumptions::all(set_.device));
  for (const Recording& recording : set_.recordings) space.observe(recording);
  Rng rng(1);
  for (const Hypothesis& survivor : space.draw(50, rng)) {
    EXPECT_THAT(mismatches(set_, survivor), IsEmpty()) << describe(survivor);
  }
}

TEST_F(Rtx3090, WithoutPairsWhatComesNearestMissesJustTheGridsOfMoreThanTwoRounds) {
  Assumptions assumptions = Assumptions::all(set_.device);
  assumptions.restrict_by("dispatch_batch=single");
  const Finding finding = check({set_}, assumptions, {});
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  ASSERT_TRUE(finding.nearest);
  expect_golden("rtx3090_without_pairs", in_lines(*finding.nearest));
}

TEST_F(A100, Algorithm1DoesNotExplainIt) {
  expect_golden("a100_under_algorithm_1", in_lines(mismatches(set_, Hypothesis{})));
}

TEST_F(A100, WithOnePickInFlightIsRefutedByOneRecordingAloneAndMissedByLargeGrids) {
  const Finding finding = check_one_in_flight();
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  EXPECT_THAT(finding.clash, ElementsAre(HasSubstr("a100-test2-648")));
  ASSERT_TRUE(finding.nearest);
  expect_golden("a100_nearest", in_lines(*finding.nearest));
}

/// As an inference reads them: few of the first ones tell where their blocks went.
TEST_F(A100, WithoutDriftIsRefutedInTheOrderOfTheFile) {
  Assumptions assumptions = Assumptions::all(set_.device);
  assumptions.restrict_by("pairs_in_flight=one,two");
  CorrectedSpace space(set_.device, assumptions);
  for (const Recording& recording : set_.recordings) {
    if (!space.empty()) space.observe(recording);
  }
  ASSERT_TRUE(space.empty());
  const Subset clash = space.conflict();
  ASSERT_EQ(clash.size(), 1u);
  EXPECT_EQ(space.observed()[*clash.begin()].name(), "a100-test2-648");
}

TEST_F(A100, EachOfTheThreeNeedsDrift) {
  keep_only(drifts);
  ASSERT_EQ(set_.recordings.size(), 3u);
  for (const Recording& recording : set_.recordings) {
    for (const auto& [values, explained] :
         {std::pair("pairs_in_flight=one,two", false), std::pair("pairs_in_flight=drifting", true),
          std::pair("pairs_in_flight=drifting_from_two", false)}) {
      Assumptions assumptions = Assumptions::all(set_.device);
      assumptions.restrict_by(values);
      VersionSpace space(set_.device, assumptions);
      space.observe(recording);
      EXPECT_EQ(!space.empty(), explained) << recording.name() << ", " << values;
    }
  }
}

TEST_F(A100, AllIsExplained) {
  expect_golden("a100", in_lines(check_all()));
  expect_explained_by("a100-as-recorded");
}

TEST_F(Rtx2080Ti, Algorithm1DoesNotExplainIt) {
  expect_golden("rtx2080ti_under_algorithm_1", in_lines(mismatches(set_, Hypothesis{})));
}

TEST_F(Rtx2080Ti, WithOnePickInFlightIsRefutedByOneRecordingAloneAndMissedByLargeGrids) {
  const Finding finding = check_one_in_flight();
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  EXPECT_THAT(finding.clash, ElementsAre(HasSubstr("rtx2080ti-test2-202")));
  ASSERT_TRUE(finding.nearest);
  expect_golden("rtx2080ti_nearest", in_lines(*finding.nearest));
}

TEST_F(Rtx2080Ti, TwoInFlightExplainAllButTheLargestGrid) {
  const auto wrong =
      mismatches(set_, hypothesis_from_text("rtx2080ti-as-recorded,pairs_in_flight=two"));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong.front().recording, "rtx2080ti-test2-544");
}

TEST_F(Rtx2080Ti, AllIsExplained) {
  expect_golden("rtx2080ti", in_lines(check_all()));
  expect_explained_by("rtx2080ti-as-recorded");
}

}  // namespace
}  // namespace cuvier
