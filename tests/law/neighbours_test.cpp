// A probe found for two hypotheses tells them apart, by prediction alone.

#include "hypotheses/neighbours.h"

#include <gtest/gtest.h>

#include "hypotheses/devices.h"
#include "solver/search/comparison.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

TEST(Neighbours, OfAlgorithm1AreToldApartOnTheRtx3090) {
  const Device device = find_device("rtx3090");
  Rng rng(1);
  const std::vector<Hypothesis> changes = single_axis_changes(device, {}, rng);
  ASSERT_GT(changes.size(), 50U);
  constexpr std::size_t every = 4;
  for (std::size_t i = 0; i < changes.size(); i += every) {
    const Hypothesis& changed = changes[i];
    // No SM shows where the pointer of an idle SM stands.
    if (changed.get<PointerReset>() != PointerReset::sm_idle) continue;
    const Comparison comparison = compare(device, {}, changed, {});
    ASSERT_EQ(comparison.kind, Comparison::Kind::different) << describe(changed);
    const Probe& probe = comparison.distinction->probe;
    validate(probe, device, describe(changed));
    EXPECT_NE(without_channels(predict(device, {}, probe)),
              without_channels(predict(device, changed, probe)))
        << describe(changed);
  }
}

}  // namespace
}  // namespace cuvier
