#include <gmock/gmock.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/formulas/evaluate.h"
#include "hypotheses/formulas/formula.h"
#include "probes/error.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

constexpr FormulaName names[] = {
    {"a", "any number", -100, 100},
    {"w", "warps", 1, 32},
};

FormulaInfo giving(FormulaInfo::Gives gives) { return {names, gives, "", -1000, 1000}; }
const FormulaInfo number = giving(FormulaInfo::Gives::number);

int value(const std::string& text, int a, int w = 1) {
  const Formula formula = parse_formula(number, text);
  const int names[] = {a, w};
  return Evaluation<int, bool>(formula, names).number();
}

std::string written(const std::string& text, const FormulaInfo& info = number) {
  return parse_formula(info, text).text;
}

std::string refused(const std::string& text, const FormulaInfo& info = number) {
  try {
    return "taken: " + written(text, info);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Formula, HasTheValueThatOneExpects) {
  EXPECT_EQ(value("1 + 2 * 3 - 4", 0), 3);
  EXPECT_EQ(value("(1 + 2) * 3", 0), 9);
  EXPECT_EQ(value("a - 1 - 2", 10), 7);
  EXPECT_EQ(value("-a * 2", 3), -6);
  EXPECT_EQ(value("w >= 8 ? 1 : w > 2 ? 5 : 0", 0, 3), 5);
  EXPECT_EQ(value("not (a < 0 or a > 9) and a != 5 ? 1 : 0", 5), 0);
  EXPECT_EQ(value("min(a, w, 7) + max(a, 2) + abs(a - 4)", 3, 9), 3 + 3 + 1);
}

TEST(Formula, RoundsUpToAPowerOfTwo) {
  for (const auto& [number, power] :
       {std::pair(-7, 1), {0, 1}, {1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {65537, 1 << 17}}) {
    EXPECT_EQ(value("power(a)", number), power) << number;
  }
  EXPECT_EQ(value("power(a * 3) - w", 3, 9), 16 - 9);
}

TEST(Formula, DividesDownAndByNothingIsNothing) {
  for (const int a : {-9, -8, -1, 0, 1, 7, 8, 9}) {
    const int down = a >= 0 ? a / 4 : -((-a + 3) / 4);
    EXPECT_EQ(value("a / 4", a), down) << a;
    EXPECT_EQ(value("a mod 4", a), a - 4 * down) << a;
  }
  for (const int divisor : {0, -1, -3}) {
    EXPECT_EQ(value("7 / a", divisor), 0);
    EXPECT_EQ(value("7 mod a", divisor), 0);
  }
}

TEST(Formula, IsWrittenByOneConvention) {
  EXPECT_EQ(written("(a*7)mod w"), "a * 7 mod w");
  EXPECT_EQ(written("a-(w-1)"), "a - (w - 1)");
  // What numbers come to, and what does nothing.
  EXPECT_EQ(written("a * (2 + 8) / 1 - 0"), "a * 10");
  EXPECT_EQ(written("7 mod 0 + a * (7 / 2)"), "0 + a * 3");
  EXPECT_EQ(written("2 - 5 + a"), "2 - 5 + a");
  // One word may be the name of a value that means something else.
  EXPECT_EQ(written("64 * 2"), "64 * 2");
  EXPECT_EQ(written("w + 0"), "w + 0");
  EXPECT_EQ(written("((w>=8))?(1):0"), "w >= 8 ? 1 : 0");
  EXPECT_EQ(written("(a,-w)", giving(FormulaInfo::Gives::order)), "(a, -w)");
  EXPECT_EQ(written("not(a==1)and w<2", giving(FormulaInfo::Gives::condition)),
            "not a == 1 and w < 2");
  for (const std::string text : {"a - (w - 1)", "-(a + w) * 2", "(a < w ? 1 : 2) * (a - w / 3)",
                                 "(a + 1) / (w * 2)", "a / (w / 2)"}) {
    EXPECT_EQ(written(text), text);
  }
}

TEST(Formula, SaysInWhichColumnItIsNone) {
  EXPECT_EQ(refused("a +"), "'a +', column 4: a number, a name, a function or ( may stand here");
  EXPECT_EQ(refused("a + foo"),
            "'a + foo', column 5: nothing is called foo here; there are a, w, "
            "and min, max, abs, power");
  EXPECT_THAT(refused("(a"), HasSubstr("column 3: an operator, a comma or ) may stand here"));
  EXPECT_THAT(refused("a 3"), HasSubstr("column 3: an operator or the end may stand here"));
  EXPECT_THAT(refused("w > 1 ? 2"), HasSubstr("column 10: an operator or : may stand here"));
  EXPECT_THAT(refused("w > 1"), HasSubstr("column 1: a condition stands where a number must"));
  EXPECT_THAT(refused("w", giving(FormulaInfo::Gives::condition)),
              HasSubstr("column 1: a number stands where a condition must"));
  EXPECT_THAT(refused("(a, w)"), HasSubstr("this axis takes one number, no tuple"));
  EXPECT_THAT(refused("(a < 1, w < 2)", giving(FormulaInfo::Gives::condition)),
              HasSubstr("column 1: this axis takes one condition, no tuple"));
  EXPECT_THAT(refused("max(1)"), HasSubstr("max is of two numbers or more"));
  EXPECT_THAT(refused("power(a, w)"), HasSubstr("power is of one number"));
  EXPECT_THAT(refused("sqrt(4)"), HasSubstr("no function is called sqrt"));
  EXPECT_THAT(refused("99999999999"), HasSubstr("a number is 2^30 at most"));
  EXPECT_THAT(refused(""), HasSubstr("column 1: a number"));
}

TEST(Formula, ThatMayOverflowIsRefused) {
  EXPECT_THAT(refused("w * 100000000"), HasSubstr("column 3: this may come to 3200000000"));
  EXPECT_THAT(refused("(a * 100000000) / 100000000"), HasSubstr("column 4: this may come to"));
  EXPECT_THAT(refused("(a * 10000, w * 100000)", giving(FormulaInfo::Gives::key)),
              HasSubstr("values together, more than 2^30"));
  // A part of both signs has nearly twice as many values as it is far from 0.
  EXPECT_THAT(refused("(w, a * 100, a * 10)", giving(FormulaInfo::Gives::key)),
              HasSubstr("values together, more than 2^30"));
  EXPECT_EQ(refused("(a * 10, w * 100, a)", giving(FormulaInfo::Gives::key)),
            "taken: (a * 10, w * 100, a)");
}

TEST(Formula, ThatIsTooLongOrDeepIsRefused) {
  EXPECT_EQ(written(std::string(190, '(') + "a" + std::string(190, ')')), "a");
  EXPECT_EQ(refused(std::string(100'000, '(')), "a formula has 400 characters at most");
  EXPECT_THAT(refused(std::string(390, '-') + "a"), HasSubstr("the formula is too long"));
}

TEST(Formula, OfATupleMakesOneKey) {
  const auto key = [](const std::string& text, int a, int w) {
    const Formula formula = parse_formula(giving(FormulaInfo::Gives::key), text);
    const int names[] = {a, w};
    return Evaluation<int, bool>(formula, names).key();
  };
  EXPECT_LT(key("(a, -w)", -3, 1), key("(a, -w)", 2, 32));
  EXPECT_LT(key("(a, -w)", 2, 5), key("(a, -w)", 2, 4));
  EXPECT_EQ(key("(a, -w)", 2, 5), key("(a, -w)", 2, 5));
  const std::string large = "(a * 10, w * 100, a)";
  EXPECT_LT(key(large, -100, 32), key(large, -99, 1));
  EXPECT_LT(key(large, 100, 31), key(large, 100, 32));
}

TEST(Formula, IsAValueOfItsAxis) {
  const Hypothesis hypothesis = hypothesis_from_text(
      "queue=skip_ahead,tie_break=(sm mod 3,-sm),pointer_skip=next+(w==8?1:0)");
  EXPECT_EQ(describe(hypothesis),
            "queue=skip_ahead,tie_break=(sm mod 3, -sm),pointer_skip=next + (w == 8 ? 1 : 0)");
  EXPECT_EQ(hypothesis_from_text(describe(hypothesis)), hypothesis);
  EXPECT_EQ(hypothesis_from_json(to_json(hypothesis), "m.json", "mechanism"), hypothesis);
  // 128 bytes for each block, where the value of that name rounds up to them.
  EXPECT_EQ(describe(hypothesis_from_text("shared_granularity=64 * 2")),
            "shared_granularity=64 * 2");
  EXPECT_THROW(hypothesis_from_text("tie_break=sm mod"), Error);
  EXPECT_THROW(hypothesis_from_text("queue=a + 1"), Error);
}

TEST(Formula, IsToldFromANameThatIsNone) {
  const auto refused = [](const std::string& text) -> std::string {
    try {
      hypothesis_from_text(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_THAT(refused("tie_break=3sm"),
              HasSubstr("tie_break has no such formula: '3sm', column 2: an operator or the end"));
  EXPECT_EQ(
      refused("group_turn=sm + 1"),
      "group_turn has no value \"sm + 1\"; it has one_block, each_sm_once; it takes no formulas");
  EXPECT_EQ(refused("cluster_wait=hold"),
            "cluster_wait has no value \"hold\" (did you mean holds?); it has holds, passed, "
            "passed_on_lone_tpcs");
}

TEST(Formula, IsShownAsMathematics) {
  const Hypothesis hypothesis = hypothesis_from_text("pointer_skip=w>=8 and w!=9?next*2:w/3");
  const int axis = index_of<PointerSkip>();
  EXPECT_EQ(axis_value(axis, hypothesis.values[axis]).meaning,
            "a formula: w ≥ 8 and w ≠ 9 ? next × 2 : w ÷ 3");
}

TEST(Formula, IsAssumedWhereSomebodySaysSo) {
  Device device;
  device.sms = 4;
  hypothesis_from_text("pointer_skip=next + 3");
  const int axis = index_of<PointerSkip>();
  Assumptions assumptions = Assumptions::all(device);
  EXPECT_EQ(assumptions.allowed[axis] & formula_values(axis), 0);
  assumptions.restrict_by("pointer_skip=named,next + 3");
  EXPECT_EQ(assumptions.restrictions(device),
            std::vector<std::string>{"pointer_skip=multiple_of_subpartitions,none,always,even,"
                                     "restart,next + 3"});
  assumptions.restrict_by("pointer_skip=next + 3");
  EXPECT_EQ(assumptions.restrictions(device), std::vector<std::string>{"pointer_skip=next + 3"});
  EXPECT_THROW(assumptions.restrict_by("pointer_skip=next + 2"), Error);
  Assumptions narrowed = Assumptions::all(device);
  narrowed.restrict_by("pointer_skip=none");
  EXPECT_THROW(narrowed.restrict_by("pointer_skip=next + 3"), Error);
}

}  // namespace
}  // namespace cuvier
