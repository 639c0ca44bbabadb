#include "solver/space/expectation.h"

#include <gtest/gtest.h>

namespace cuvier {
namespace {

using Kind = Fact::Kind;

constexpr int sms = 4;

/// Of a kernel of three blocks, launched in the one step.
Expectation told(std::vector<Fact> facts) {
  Kernel kernel;
  kernel.name = "k1";
  kernel.blocks = 3;
  const Probe probe{"p", {kernel}, {{0, {}}}};
  return Expectation({probe, std::move(facts), true, {}}, sms);
}

TEST(Expectation, AllowsAnyWhereItAllowsOne) {
  const std::vector<Expectation> all{
      told({}),
      told({{Kind::sm, 0, 0, {2, 2, 1}, {}}}),
      told({{Kind::sm_set, 0, 0, {1, 3}, {}}}),
      told({{Kind::started, 0, 0, {1}, {}}}),
      told({{Kind::starts, 0, 0, {0}, {}}}),
      told({{Kind::sm, 0, 0, {3, 1}, {}}, {Kind::sm_set, 0, 0, {1, 3}, {}}}),
      told({{Kind::sm, 0, 0, {0, 1}, {}}, {Kind::sm_set, 0, 0, {1, 3}, {}}}),
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Wherever the blocks go that are allowed.
    std::vector<std::vector<int>> ways{{}};
    while (!ways.empty()) {
      const std::vector<int> started = ways.back();
      ways.pop_back();
      bool any = false;
      for (int sm = 0; sm < sms; ++sm) {
        if (!all[i].allows(0, 0, started, sm)) continue;
        any = true;
        if (started.size() == 3) continue;
        ways.push_back(started);
        ways.back().push_back(sm);
      }
      EXPECT_EQ(all[i].allows_any(0, 0, started), any) << i << ", " << started.size();
    }
  }
}

}  // namespace
}  // namespace cuvier
