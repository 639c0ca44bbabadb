#include <fmt/format.h>
#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "reports/invention/invention_report.h"
#include "tests/reports/finding_sample.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

/// Formulas that were only looked at are no values of their axis, of which there is no room for so
/// many.
TEST(InventionPage, TellsOfMoreFormulasThanAnAxisHasValues) {
  InventionRound round;
  for (int number = 1; number <= 2 * kMostValues; ++number) {
    Proposal proposal;
    proposal.axis = index_of<Selection>();
    proposal.formula = fmt::format("warps / {}", number);
    round.proposals.found.push_back(proposal);
    round.contradicted_by.emplace_back();
  }
  round.contradicted_by.front() = "p7";
  Invention invention;
  invention.recordings = {"sim:four", samples::device(), {}};
  invention.finding = samples::finding();
  invention.rounds = {round};
  const int values = axis_size(index_of<Selection>());
  const std::string page = page_markdown(invention_page(invention));
  EXPECT_THAT(page, HasSubstr("selection=warps / 1: contradicted by p7"));
  EXPECT_THAT(page, HasSubstr("selection=warps / 62: nothing that was asked contradicts it"));
  const Json json = invention_json(invention);
  EXPECT_EQ(json["rounds"][0]["found"][0]["contradicted_by"], "p7");
  EXPECT_FALSE(json["rounds"][0]["found"][1].contains("contradicted_by"));
  EXPECT_EQ(axis_size(index_of<Selection>()), values);
}

}  // namespace
}  // namespace cuvier
