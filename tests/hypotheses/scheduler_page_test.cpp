#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "hypotheses/axes.h"

namespace cuvier {
namespace {

std::string page(const std::string& name) {
  std::ifstream file(CUVIER_SOURCE_DIR "/docs/reference/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// docs/reference/scheduler.md is what others implement: an axis or value that it lacks has no
/// meaning there.
class SchedulerPage : public testing::Test {
 protected:
  /// Where it is named as code, from there on; npos: nowhere.
  std::size_t find(std::string_view name, std::size_t from = 0) const {
    return page_.find("`" + std::string(name) + "`", from);
  }

  const std::string page_ = page("scheduler.md");
};

TEST_F(SchedulerPage, NamesEveryAxisAndEachOfItsValuesAfterIt) {
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::size_t place = find(axis_info(axis).name);
    ASSERT_NE(place, std::string::npos) << axis_info(axis).name;
    for (const AxisValue& value : axis_info(axis).values) {
      EXPECT_NE(find(value.name, place), std::string::npos)
          << axis_info(axis).name << "=" << value.name;
    }
  }
}

}  // namespace
}  // namespace cuvier
