// Of formulas of any shape, and others near them, no two are proved alike that wide probes tell
// apart. The prover is told of none that are known to be told apart.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hypotheses/axes.h"
#include "solver/proof/equivalence.h"
#include "tests/law/drawn.h"
#include "tests/law/planted.h"
#include "tests/law/proved_alike.h"
#include "tests/law/random_formula.h"

namespace cuvier {
namespace {

/// Formulas on trial.
class Drawn {
 public:
  Drawn(const Device& device, Rng& rng) : device_(device), rng_(rng) {}
  ~Drawn() {
    while (!all_.empty()) all_.pop_back();  // what came last ends first
  }

  /// Any formula of the axis, if it takes some.
  std::optional<int> any(int axis) {
    const FormulaInfo* const info = axis_info(axis).formula;
    if (info == nullptr) return std::nullopt;
    return value_of(axis, RandomFormula(*info, device_, rng_).draw());
  }
  /// One near that value.
  std::optional<int> near(int axis, int value) {
    const FormulaInfo* const info = axis_info(axis).formula;
    if (info == nullptr) return std::nullopt;
    const std::string text = value >= named_values(axis)
                                 ? formula_of(axis, value).text
                                 : std::string(axis_value(axis, value).formula);
    if (text.empty()) return any(axis);
    return value_of(axis, RandomFormula(*info, device_, rng_).draw_near(text));
  }

  std::string words() const {
    std::string words;
    for (const auto& trial : all_) {
      words += fmt::format("{} {}: {}\n", axis_info(trial->axis()).name, trial->value(),
                           trial->formula().text);
    }
    return words;
  }

 private:
  int value_of(int axis, Formula formula) {
    return all_.emplace_back(std::make_unique<TrialValue>(axis, std::move(formula)))->value();
  }

  const Device& device_;
  Rng& rng_;
  std::vector<std::unique_ptr<TrialValue>> all_;
};

TEST(EquivalenceOfFormulas, IsSeenInNoPrediction) {
  Rng rng(17);
  int proved = 0;
  for (int point = 0; point < drawn(27) && !HasFailure(); ++point) {
    Device tight = with_clusters(with_lone_tpcs());
    tight.max_blocks_per_sm = 2;
    const Device device = pick(rng, {small_device(1), small_device(3), clustered_device(4), tight});
    Drawn formulas(device, rng);
    Hypothesis planted = random_named(device, rng);
    if (point % 3 == 0) planted = with_hopper_values(planted, rng);
    for (int axis = 0; axis < kAxes; ++axis) {
      if (uniform(rng, 0, 9) > 0) continue;
      if (const auto formula = formulas.any(axis)) planted = planted.with(axis, *formula);
    }
    std::vector<Hypothesis> all{planted};
    for (int axis = 0; axis < kAxes; ++axis) {
      if (uniform(rng, 0, 3) > 0) continue;
      const auto other = formulas.near(axis, planted.values[axis]);
      if (other) all.push_back(planted.with(axis, *other));
    }
    const Classes result = classify(device, all, {}, {}, static_cast<int>(all.size()));
    SCOPED_TRACE(formulas.words());
    proved += expect_shown_alike(device, result, 200, rng);
  }
  EXPECT_GT(proved, 0);
}

}  // namespace
}  // namespace cuvier
