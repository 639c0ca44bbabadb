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

  Finding check_all() const {
    return check({set_}, Assumptions::all(set_.device), [](const auto&) {});
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

  /// Large grids whose blocks change places beyond any order of picks.
  static bool is_unexplained(const std::string& name) {
    return name == "a100-test2-648" || name == "a100-test2-756" || name == "a100-test2-864";
  }
};

class Rtx2080Ti : public Recordings {
 protected:
  void SetUp() override { read("rtx2080ti"); }

  /// From the fourth pick on, grids of more than 2 * 68 + 64 blocks have two picks in flight.
  static bool is_unexplained(const Recording& recording) {
    return recording.name().starts_with("rtx2080ti-test2-") &&
           recording.probe.kernels[0].blocks >= 202;
  }
};

TEST_F(Rtx3090, Algorithm1DoesNotExplainIt) {
  expect_golden("rtx3090_under_algorithm_1", in_lines(mismatches(set_, Hypothesis{})));
}

TEST_F(Rtx3090, WhatSurvives) { expect_golden("rtx3090", in_lines(check_all())); }

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
  const Finding finding = check({set_}, assumptions, [](const auto&) {});
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  ASSERT_TRUE(finding.nearest);
  expect_golden("rtx3090_without_pairs", in_lines(*finding.nearest));
}

TEST_F(A100, Algorithm1DoesNotExplainIt) {
  expect_golden("a100_under_algorithm_1", in_lines(mismatches(set_, Hypothesis{})));
}

TEST_F(A100, IsRefutedByOneRecordingAloneAndMissedByLargeGrids) {
  const Finding finding = check_all();
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  EXPECT_THAT(finding.clash, ElementsAre(HasSubstr("a100-test2-648")));
  ASSERT_TRUE(finding.nearest);
  expect_golden("a100_nearest", in_lines(*finding.nearest));
}

/// As an inference reads them: few of the first ones tell where their blocks went.
TEST_F(A100, IsRefutedInTheOrderOfTheFile) {
  CorrectedSpace space(set_.device, Assumptions::all(set_.device));
  for (const Recording& recording : set_.recordings) {
    if (!space.empty()) space.observe(recording);
  }
  ASSERT_TRUE(space.empty());
  const Subset clash = space.conflict();
  ASSERT_EQ(clash.size(), 1u);
  EXPECT_EQ(space.observed()[*clash.begin()].name(), "a100-test2-648");
}

TEST_F(A100, EachOfTheThreeIsBeyondTheSpace) {
  keep_only(is_unexplained);
  ASSERT_EQ(set_.recordings.size(), 3u);
  for (const Recording& recording : set_.recordings) {
    VersionSpace space(set_.device, Assumptions::all(set_.device));
    space.observe(recording);
    EXPECT_TRUE(space.empty()) << recording.name();
  }
}

TEST_F(A100, TheRestIsExplained) {
  keep_only([](const std::string& name) { return !is_unexplained(name); });
  expect_golden("a100_explained", in_lines(check_all()));
}

TEST_F(Rtx2080Ti, Algorithm1DoesNotExplainIt) {
  expect_golden("rtx2080ti_under_algorithm_1", in_lines(mismatches(set_, Hypothesis{})));
}

TEST_F(Rtx2080Ti, IsRefutedByOneRecordingAloneAndMissedByLargeGrids) {
  const Finding finding = check_all();
  EXPECT_EQ(finding.verdict, Verdict::refuted);
  EXPECT_THAT(finding.clash, ElementsAre(HasSubstr("rtx2080ti-test2-202")));
  ASSERT_TRUE(finding.nearest);
  expect_golden("rtx2080ti_nearest", in_lines(*finding.nearest));
}

TEST_F(Rtx2080Ti, TheRestIsExplained) {
  std::erase_if(set_.recordings, is_unexplained);
  EXPECT_EQ(set_.recordings.size(), 16u);
  expect_golden("rtx2080ti_explained", in_lines(check_all()));
}

}  // namespace
}  // namespace cuvier
