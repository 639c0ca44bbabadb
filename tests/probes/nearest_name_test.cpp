#include "probes/nearest_name.h"

#include <gtest/gtest.h>

#include <chrono>

namespace cuvier {
namespace {

TEST(NearestName, IsAHintWhereItIsNear) {
  EXPECT_EQ(in_quotes_with_hint("selecton", {"queue", "selection"}),
            "\"selecton\" (did you mean selection?)");
  EXPECT_EQ(in_quotes_with_hint("queeu", {"queue"}), "\"queeu\" (did you mean queue?)");
  EXPECT_EQ(in_quotes_with_hint("lag", {"queue", "selection"}), "\"lag\"");
  EXPECT_EQ(in_quotes_with_hint("lag", {}), "\"lag\"");
}

TEST(NearestName, IsTheNearestOfSeveral) {
  EXPECT_EQ(nearest_name("thred", {"thread", "threads"}), "thread");
  EXPECT_EQ(nearest_name("blocks", {"threads"}), std::nullopt);
}

/// A whole file, say, taken for a name.
TEST(NearestName, IsNotLookedForWhereATextIsTooLongForOne) {
  const std::string text(1'000'000, 'x');
  const std::vector<std::string_view> names(100, "selection");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(in_quotes_with_hint(text, names), '"' + text.substr(0, 60) + "\"...");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace cuvier
