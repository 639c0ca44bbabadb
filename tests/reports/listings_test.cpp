// What `cuvier axes` and `cuvier devices` list.

#include <gtest/gtest.h>

#include "hypotheses/axes.h"
#include "probes/json_fields.h"
#include "reports/model/model_report.h"

namespace cuvier {
namespace {

TEST(AxesJson, SaysWhatADeviceNeedsForEachValue) {
  const Json json = axes_json();
  for (int axis = 0; axis < kAxes; ++axis) {
    for (int value = 0; value < named_values(axis); ++value) {
      const Json& told = json["axes"][axis]["values"][value];
      const Needs needs = axis_value(axis, value).needs;
      EXPECT_EQ(told["needs_gpc_map"], needs == Needs::gpc_map) << told;
      EXPECT_EQ(told["needs_tpcs"], needs == Needs::tpcs) << told;
      EXPECT_EQ(told["needs_lone_tpcs"], of_lone_tpcs(needs)) << told;
      EXPECT_EQ(told["needs_clusters"],
                needs == Needs::clusters || needs == Needs::lone_tpcs_and_clusters)
          << told;
    }
  }
}

}  // namespace
}  // namespace cuvier
