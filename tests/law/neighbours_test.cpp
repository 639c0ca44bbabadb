// A probe found for two hypotheses tells them apart, by prediction alone.

#include "hypotheses/neighbours.h"

#include <gtest/gtest.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "solver/query_selection/comparison.h"
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

/// Pairs that only part where a grid waits: at an odd block, or before a kernel ahead.
TEST(Neighbours, ThatPlacePairsAreToldApartByAGridThatWaits) {
  const auto families = probe_families(small_device(8));
  const auto family = std::ranges::find(families, "waiting_grid", &ProbeFamily::name);
  ASSERT_NE(family, families.end());
  for (const char* single : {"selection=paired", "selection=paired,room_warps=pooled_blocks",
                             "selection=first_fit,queue=skip_ahead"}) {
    for (const char* batch : {",dispatch_batch=single", ",dispatch_batch=pair,batch_margin=2"}) {
      const Device device = small_device(8);
      const Hypothesis one = hypothesis_from_text(std::string(single) + batch);
      const Hypothesis other = hypothesis_from_text(single + std::string(",dispatch_batch=pair"));
      Rng rng(1);
      constexpr int draws = 1500;
      int apart = 0;
      for (int i = 0; i < draws; ++i) {
        const Probe probe = family->draw(device, rng);
        apart += without_channels(predict(device, one, probe)) !=
                 without_channels(predict(device, other, probe));
      }
      EXPECT_GE(apart, 2) << single << batch;
    }
  }
}

}  // namespace
}  // namespace cuvier
