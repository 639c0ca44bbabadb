#include <gmock/gmock.h>

#include "reports/document/page.h"
#include "reports/uses/uses_report.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

class LaunchOrdersPage : public ::testing::Test {
 protected:
  LaunchOrdersPage() {
    orders_.count = 2;
    orders_.simulated = 2;
    orders_.all_seen = true;
    orders_.best = orders_.recommended = {{1, 0}, 0, 3};
    orders_.given = orders_.worst = {{0, 1}, 0, 6};
  }
  std::string text() const {
    const Workload workload{
        {{samples::kernel("a", 1, 32), 0, 3}, {samples::kernel("b", 1, 32), 0, 3}}, {}};
    return page_text(
        launch_orders_page(orders_, {samples::device(), {}, "asked of nobody"}, workload));
  }
  LaunchOrders orders_;
};

TEST_F(LaunchOrdersPage, SaysWhatTheBestRestsOn) {
  EXPECT_THAT(text(), HasSubstr("best: no order finishes sooner: all were simulated\n"
                                "  2 orders were simulated on four SMs, under algorithm-1 "
                                "(asked of nobody), of 2"));
  EXPECT_THAT(text(), HasSubstr("  best         3.000 ms  b, a\n"
                                "  given        6.000 ms  a, b\n"));
  orders_.all_seen = false;
  EXPECT_THAT(text(), HasSubstr("heuristic: there are too many orders to simulate all; this is"));
  EXPECT_THAT(text(), HasSubstr("  worst found  6.000 ms  a, b\n"));
  orders_.no_swap_helps = true;
  EXPECT_THAT(text(), HasSubstr("no swap of two kernels finishes sooner"));
}

TEST_F(LaunchOrdersPage, SaysWhatNeverEnds) {
  orders_.worst.unfinished = 1;
  EXPECT_THAT(text(), HasSubstr("1 of 2 never end"));
  EXPECT_THAT(text(), HasSubstr("best: "));
  orders_.best.unfinished = 1;
  EXPECT_THAT(text(), HasSubstr("undecided: there is no order in which all kernels end"));
  orders_.left_to_chance = true;
  EXPECT_THAT(text(), HasSubstr("undecided: the model leaves to chance"));
}

}  // namespace
}  // namespace cuvier
