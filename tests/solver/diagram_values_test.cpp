#include "solver/space/diagram_values.h"

#include <gtest/gtest.h>

#include "hypotheses/devices.h"

namespace cuvier {
namespace {

/// The SM's warps after a block came and went, by the way of these values.
DiagramValues::Warps used(DiagramValues& values, const OnKernel& kernel) {
  return values.apply(ReleaseWarps{0}, values.apply(PlaceWarps{kernel}, values.idle_warps()));
}

TEST(DiagramValues, KeepWhatOutlivedAProbeForThoseCaredForAlone) {
  const Device device = find_device("rtx3090");
  Kernel block;
  block.threads = 96;
  block.registers = 40;
  Workspace workspace;
  DiagramValues all(workspace, {workspace.diagrams.yes()});
  const auto left_by_all = used(all, {device, block});

  const auto few = all.both(all.has(index_of<WarpPlacement>(), WarpPlacement::skip_full),
                            all.has(index_of<RegisterPool>(), RegisterPool::per_sm));
  DiagramValues fewer(workspace, few);
  EXPECT_NE(left_by_all, used(fewer, {device, block}));
  const auto cared_for = [&](DiagramValues::Warps warps) {
    return fewer.cared_for({.warp_files = {warps}}).warp_files.front();
  };
  EXPECT_EQ(cared_for(left_by_all), used(fewer, {device, block}));
  EXPECT_EQ(cared_for(fewer.idle_warps()), fewer.idle_warps());
}

}  // namespace
}  // namespace cuvier
