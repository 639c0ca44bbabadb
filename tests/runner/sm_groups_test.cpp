#include "probes/gpu/sm_groups.h"

#include <gmock/gmock.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "tests/runner/simulated_device.h"

namespace cuvier::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SmGroups, AreNumberedByTheirLowestSm) {
  SmGroups groups(6);
  groups.join(5, 1);
  groups.join(4, 2);
  groups.join(1, 3);
  groups.join(3, 5);
  EXPECT_EQ(groups.count(), 3);
  EXPECT_THAT(groups.group_of_sm(), ElementsAre(0, 1, 2, 1, 2, 1));
}

TEST(SmGroups, ShowInCarveOutConflicts) {
  Device device = find_device("rtx3090");
  device.sms = 8;
  device.tpc_of_sm = {0, 1, 2, 3, 0, 1, 2, 3};
  SimulatedDevice runner(device, {});
  EXPECT_THAT(tpcs_by_carve_out(runner, Patience{}), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}

TEST(SmGroups, AreUnknownWhereConfigurationsAreNotByTpc) {
  Device device = find_device("rtx3090");
  device.sms = 8;
  for (const char* scope : {"sm", "device", "none"}) {
    SimulatedDevice runner(device, hypothesis_from_text(std::string("config_scope=") + scope));
    EXPECT_THAT(tpcs_by_carve_out(runner, Patience{}), IsEmpty()) << scope;
  }
}

}  // namespace
}  // namespace cuvier::gpu
