// The paper's cases, minimised: what docs/results/smallest-cases.md says of them.

#include "tests/case/smallest_cases.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace cuvier {
namespace {

class SmallestCases : public ::testing::TestWithParam<PaperMechanism> {};

TEST_P(SmallestCases, AreNoLargerThanThePapersAndAsTheTableHasThem) {
  const SmallestCase found = smallest_case(GetParam());
  const ProbeSize ours = size_of(found.ours.probe);
  EXPECT_LE(ours.kernels, size_of(found.paper).kernels);
  EXPECT_LE(ours.blocks, size_of(found.paper).blocks);

  std::ifstream file(std::string(CUVIER_SOURCE_DIR) + "/docs/results/smallest-cases.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(document, ::testing::HasSubstr(table_row(GetParam(), found)));
}

INSTANTIATE_TEST_SUITE_P(Paper, SmallestCases, ::testing::ValuesIn(paper_mechanisms));

}  // namespace
}  // namespace cuvier
