#include <gmock/gmock.h>

#include "reports/port/port_report.h"

namespace cuvier {
namespace {

/// How a limit that was not reached is told, if so many values would explain it.
std::pair<std::string, std::string> told_with(std::vector<std::string> unless) {
  OracleCheck check;
  check.limits.push_back(
      {launch_all("warps of an SM", {}), "max_warps_per_sm", "warp", 48, {}, 40, "", unless});
  for (const auto& number : oracle_check_page(check).numbers) {
    if (number.first == check.limits.front().what()) return number;
  }
  return {};
}

TEST(OracleCheckPage, NamesTheFewValuesThatWouldExplainALimit) {
  EXPECT_THAT(told_with({"register_pool=per_sm", "room_warps=strict_warps"}).second,
              "40 warps seen where 48 should be: correct max_warps_per_sm of device.json, unless "
              "register_pool=per_sm or room_warps=strict_warps");
}

TEST(OracleCheckPage, CountsThemWhereTheyAreMany) {
  EXPECT_THAT(told_with({"a", "b", "c", "d", "e"}).second,
              "40 warps seen where 48 should be: correct max_warps_per_sm of device.json, unless "
              "it is no limit but the mechanism: 5 other values of an axis would show that");
}

}  // namespace
}  // namespace cuvier
