#include "solver/smt/formula_smt2.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "hypotheses/formulas/evaluate.h"
#include "probes/rng.h"
#include "solver/smt/smt_query.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

constexpr FormulaName names[] = {{"a", "any number", -100, 100}, {"w", "warps", 1, 32}};
constexpr AxisInfo axis_giving(const FormulaInfo& info) {
  return {{Part::warps, "axis", ""}, {}, {}, &info};
}

std::string number(int value) {
  return value < 0 ? fmt::format("(- {})", -value) : fmt::format("{}", value);
}

constexpr FormulaInfo numbers{names, FormulaInfo::Gives::number, "", -50, 60};
constexpr FormulaInfo conditions{names, FormulaInfo::Gives::condition, ""};
constexpr FormulaInfo orders{names, FormulaInfo::Gives::order, ""};

TEST(FormulaSmt2, ComesToWhatPredictionsEvaluate) {
  Rng rng(1);
  for (const std::string text :
       {"a + w * 2 - 7", "a / w", "a mod w", "w / a", "w mod a", "-a", "abs(a)", "min(a, w, 3)",
        "max(a, -w, 3)", "a < w ? a : w", "not (a <= w and a != 3) or w == 5 ? 1 : 0",
        "a * w / (w - 3)", "a * 3"}) {
    const Formula formula = parse_formula(numbers, text);
    std::string smt2 = "(set-logic QF_UFNIA)\n" + formula_smt2(axis_giving(numbers), formula);
    std::string wrong;
    for (int i = 0; i < 40; ++i) {
      const int of[] = {uniform(rng, -9, 9) * (i % 2 ? 1 : 11), uniform(rng, 1, 32)};
      const int value = std::clamp(Evaluation<int, bool>(formula, of).number(), -50, 60);
      wrong += fmt::format(" (not (= (|axis: {}| {} {}) {}))", formula.text, number(of[0]),
                           number(of[1]), number(value));
    }
    smt2 += fmt::format("(assert (or{}))\n(check-sat)\n", wrong);
    EXPECT_EQ(ask_z3(smt2).kind, SmtAnswer::Kind::unsat) << smt2;
  }
}

TEST(FormulaSmt2, IsAFunctionOfItsNames) {
  EXPECT_EQ(formula_smt2(axis_giving(conditions), parse_formula(conditions, "w >= 8")),
            "(define-fun |axis: w >= 8| ((our.a Int) (our.w Int)) Bool\n  (<= 8 our.w))\n");
  const std::string tuple = formula_smt2(axis_giving(orders), parse_formula(orders, "(a, -w)"));
  EXPECT_THAT(tuple, HasSubstr("|axis: (a, -w), part 2| ((our.a Int) (our.w Int)) Int\n"
                               "  (- our.w))"));
}

}  // namespace
}  // namespace cuvier
