#include "solver/smt/circuit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cuvier {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Of two nodes with names; `others`: first made for something else.
Circuit::Written written(int others) {
  Circuit circuit;
  const auto a = circuit.input("a", 0);
  const auto b = circuit.input("b", 0);
  auto other = circuit.input("other", 0);
  for (int i = 0; i < others; ++i) other = circuit.both(-other, i % 2 == 0 ? a : b);
  const auto both = circuit.both(a, b);
  const auto either = -circuit.both(-a, -b);
  const auto one = circuit.both(either, -both);
  return circuit.written({circuit.both(one, both), circuit.both(one, either)});
}

/// Who verifies a certificate makes the text again, from other formulas perhaps.
TEST(Circuit, IsWrittenAlikeWhateverElseWasMade) {
  EXPECT_EQ(written(0).definitions, written(3).definitions);
  EXPECT_EQ(written(0).literals, written(3).literals);
  EXPECT_THAT(written(3).definitions, HasSubstr("(define-fun n1 () Bool"));
  EXPECT_THAT(written(3).definitions, Not(HasSubstr("other")));
}

}  // namespace
}  // namespace cuvier
