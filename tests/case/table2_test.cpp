// The paper's Table II: what it says of its own algorithm, and what it leaves open.

#include <gmock/gmock.h>

#include <set>

#include "solver/check/check.h"
#include "solver/finding/mismatches.h"
#include "tests/case/golden.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RecordingSet table2() {
  return read_recordings(std::string(CUVIER_SOURCE_DIR) + "/corpus/table2.jsonl");
}

std::set<std::string> contradicted_under(const std::string& hypothesis) {
  std::set<std::string> recordings;
  for (const Mismatch& m : mismatches(table2(), hypothesis_from_text(hypothesis))) {
    recordings.insert(m.recording);
  }
  return recordings;
}

TEST(Table2, AllTenCasesHoldUnderAlgorithm1) {
  EXPECT_EQ(table2().recordings.size(), 10u);
  EXPECT_THAT(contradicted_under("algorithm-1"), IsEmpty());
}

TEST(Table2, Cases12And13ContradictAlgorithm1AsPrinted) {
  EXPECT_THAT(contradicted_under("algorithm-1-as-printed"), ElementsAre("case-1.2", "case-1.3"));
}

TEST(Table2, LeavesOpenWhatItNeverTests) {
  const RecordingSet table = table2();
  const Finding finding = check({table}, Assumptions::all(table.device), {});
  expect_golden("table2", in_lines(finding));
}

}  // namespace
}  // namespace cuvier
