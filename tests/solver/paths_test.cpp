#include "solver/space/paths.h"

#include <gmock/gmock.h>

#include <map>

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// Sets of eight hypotheses, told apart by the bits of their numbers.
struct Eight {
  using Bool = unsigned;
  static constexpr Bool all = 0xff;

  Bool no() const { return 0; }
  bool is_no(Bool set) const { return set == 0; }
  bool is_yes(Bool set) const { return set == all; }
  Bool both(Bool a, Bool b) const { return a & b; }
  Bool either(Bool a, Bool b) const { return a | b; }
  Bool without(Bool a, Bool b) const { return a & ~b; }
  Bool has(int, int) const { return all; }

  static Bool with_bit(int bit) {
    Bool set = 0;
    for (unsigned h = 0; h < 8; ++h) set |= ((h >> bit) & 1) << h;
    return set;
  }
};

/// Two ways on before a part of which three things come out, and two behind it.
struct Program {
  Eight values;
  Paths<Eight> paths{values, {}};
  int parts = 0;                          ///< run
  std::map<std::string, unsigned> ended;  ///< how -> which hypotheses

  void run() {
    paths.begin(Eight::all);
    while (paths.next()) {
      std::string way = paths.decide(Eight::with_bit(0)) ? "odd " : "even ";
      way += paths.outcome_of([&] {
        ++parts;
        const bool second = paths.decide(Eight::with_bit(1));
        return std::string(second ? "high" : paths.decide(Eight::with_bit(2)) ? "high" : "low");
      });
      way += paths.decide(Eight::with_bit(2)) ? " large" : " small";
      ended[way] |= paths.alive();
    }
  }
};

TEST(Paths, LeadEachHypothesisToItsEnd) {
  Program program;
  program.run();
  EXPECT_THAT(program.ended,
              ElementsAre(Pair("even high large", 0b01010000), Pair("even high small", 0b00000100),
                          Pair("even low small", 0b00000001), Pair("odd high large", 0b10100000),
                          Pair("odd high small", 0b00001000), Pair("odd low small", 0b00000010)));
}

TEST(Paths, RunAPartOnceForAllWhoComeToItAlike) {
  Program program;
  program.run();
  EXPECT_EQ(program.parts, 2 * 3);  // its three ways, for odd and for even
}

}  // namespace
}  // namespace cuvier
