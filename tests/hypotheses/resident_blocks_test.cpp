#include "hypotheses/scheduler/resident_blocks.h"

#include <gtest/gtest.h>

#include "tests/samples.h"

namespace cuvier {
namespace {

TEST(ResidentBlocks, AreAtTheirPositionAmongThoseStillThere) {
  ResidentBlocks blocks(samples::device());
  for (int block = 0; block < 4; ++block) blocks.add(1, 0, block, 0);
  EXPECT_EQ(blocks.remove(1, 0, 2), 2);
  EXPECT_EQ(blocks.remove(1, 0, 3), 2);
  blocks.add(1, 5, 3, 0);
  EXPECT_EQ(blocks.remove(1, 0, 0), 0);
  EXPECT_EQ(blocks.remove(1, 5, 3), 1);
  EXPECT_EQ(blocks.remove(1, 0, 1), 0);
  blocks.add(1, 0, 1, 0);
  EXPECT_EQ(blocks.remove(1, 0, 1), 0);
}

TEST(ResidentBlocks, ComeAheadOfOthers) {
  ResidentBlocks blocks(samples::device());
  blocks.add(1, 0, 0, 0);
  blocks.add(1, 1, 0, 1);  // ahead of all
  blocks.add(1, 2, 0, 1);  // in between
  blocks.add(1, 3, 0, 0);
  EXPECT_EQ(blocks.remove(1, 3, 0), 3);
  EXPECT_EQ(blocks.remove(1, 2, 0), 1);
  EXPECT_EQ(blocks.remove(1, 0, 0), 1);
  EXPECT_EQ(blocks.remove(1, 1, 0), 0);
}

TEST(ResidentBlocks, AreNotWhereTheyAreNot) {
  ResidentBlocks blocks(samples::device());
  blocks.add(0, 0, 7, 0);
  EXPECT_EQ(blocks.remove(1, 0, 7), std::nullopt);
  EXPECT_EQ(blocks.remove(0, 1, 7), std::nullopt);
  EXPECT_EQ(blocks.remove(0, 0, 7), 0);
  EXPECT_EQ(blocks.remove(0, 0, 7), std::nullopt);
  blocks.add(0, 0, 7, 0);
  blocks.clear();
  EXPECT_EQ(blocks.remove(0, 0, 7), std::nullopt);
}

TEST(ResidentBlocks, AreCopied) {
  ResidentBlocks blocks(samples::device());
  blocks.add(0, 0, 0, 0);
  ResidentBlocks copy = blocks;
  copy.add(0, 0, 1, 0);
  EXPECT_EQ(copy.remove(0, 0, 1), 1);
  EXPECT_EQ(blocks.remove(0, 0, 1), std::nullopt);
}

}  // namespace
}  // namespace cuvier
