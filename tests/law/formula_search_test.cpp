// The search for formulas tries what it says, each once.

#include "solver/invention/formula_search.h"

#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "hypotheses/formulas/evaluate.h"
#include "probes/error.h"
#include "tests/law/planted_sessions.h"

namespace cuvier {
namespace {

constexpr double kAllWork = 1e9;

std::vector<RuleInputs> some_inputs(const FormulaInfo& info, int count) {
  Rng rng(3);
  std::vector<RuleInputs> inputs(count);
  for (RuleInputs& of : inputs) {
    for (const FormulaName& name : info.names) {
      of.push_back(uniform(rng, std::max(name.least, -20), std::min(name.most, 40)));
    }
  }
  return inputs;
}

std::vector<FormulaSearch::Found> all_of_next_size(FormulaSearch& search) {
  std::vector<FormulaSearch::Found> all;
  search.next_size({}, kAllWork, [&](const FormulaSearch::Found& found) {
    all.push_back(found);
    return true;
  });
  return all;
}

std::vector<int> values(const FormulaSearch::Found& found) {
  return {found.column.begin(), found.column.end()};
}

/// None where it could leave the range of numbers: then it is no formula of the axis.
std::optional<Formula> formula_of(const FormulaInfo& info, const std::string& text) {
  try {
    return parse_formula(info, text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

class FormulaSearchLaw : public ::testing::TestWithParam<std::string_view> {};

TEST_P(FormulaSearchLaw, EachIsAFormulaOfTheAxisAndComesToItsColumn) {
  const FormulaInfo& info = info_of(*find_axis(GetParam()));
  const std::vector<RuleInputs> inputs = some_inputs(info, 20);
  FormulaSearch search(info, ~0u, {}, inputs);
  std::set<std::vector<int>> columns;
  for (int size = 1; size <= 4; ++size) {
    for (const FormulaSearch::Found& found : all_of_next_size(search)) {
      EXPECT_TRUE(columns.insert(values(found)).second) << found.text << " says nothing new";
      const auto formula = formula_of(info, found.text);
      if (!formula) continue;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Evaluation<int, bool> value(*formula, inputs[i]);
        const int of = info.gives == FormulaInfo::Gives::condition ? value.condition() ? 1 : 0
                                                                   : value.number();
        ASSERT_EQ(of, found.column[i]) << found.text;
      }
    }
  }
  EXPECT_GT(columns.size(), 20);
}

INSTANTIATE_TEST_SUITE_P(OfNumbersAndConditions, FormulaSearchLaw,
                         ::testing::Values("pointer_skip", "room_warps", "queue"));

TEST(FormulaSearch, OrdersTellByThePlacesAlone) {
  const FormulaInfo& info = info_of(index_of<TieBreak>());
  std::vector<RuleInputs> sms;
  for (int sm = 0; sm < 8; ++sm) sms.push_back({sm, 8, sm / 2, 4, sm % 2, 0, 0, 0, 0, 0});
  FormulaSearch search(info, ~0u, {}, sms);
  std::map<std::vector<int>, std::string> orders;
  for (int size = 1; size <= 4; ++size) {
    for (const FormulaSearch::Found& found : all_of_next_size(search)) {
      EXPECT_TRUE(orders.emplace(values(found), found.text).second) << found.text;
    }
  }
  const std::vector<int> interleaved{0, 4, 1, 5, 2, 6, 3, 7};
  ASSERT_TRUE(orders.contains(interleaved));
  EXPECT_EQ(orders[interleaved], "(place_in_tpc, sm)");
}

/// From the first SM on in every other GPC, and from the last one in the others.
TEST(FormulaSearch, TriesOneWayHereAndTheOtherWayThere) {
  const FormulaInfo& info = info_of(index_of<ClusterSms>());
  std::vector<RuleInputs> sms;
  for (int sm = 0; sm < 8; ++sm) {
    sms.push_back({sm, sm % 4, sm % 4 / 2, sm % 2, 0, 0, 0, sm / 4, 4, 2});
  }
  FormulaSearch search(info, ~0u, {}, sms);
  std::set<std::vector<int>> orders;
  for (int size = 1; size <= 4; ++size) {
    for (const FormulaSearch::Found& found : all_of_next_size(search)) orders.insert(values(found));
  }
  EXPECT_TRUE(orders.contains({4, 5, 6, 7, 3, 2, 1, 0}));
}

/// The group that holds least of what it could hold, whatever its size.
TEST(FormulaSearch, TriesRatios) {
  const FormulaInfo& info = info_of(index_of<ClusterGpc>());
  std::vector<RuleInputs> gpcs;
  for (const auto& [blocks, sms] : {std::pair{10, 16}, {9, 18}, {11, 16}, {3, 4}, {1, 9}}) {
    gpcs.push_back({0, 0, blocks, sms, 0, 0, 0, 2});
  }
  FormulaSearch search(info, ~0u, {}, gpcs);
  std::set<std::vector<int>> orders;
  for (int size = 1; size <= 4; ++size) {
    for (const FormulaSearch::Found& found : all_of_next_size(search)) orders.insert(values(found));
  }
  EXPECT_TRUE(orders.contains({2, 1, 3, 4, 0}));
}

/// A known rule with another number, unit and what is one less together.
TEST(FormulaSearch, TriesKnownRulesWithOtherNumbers) {
  const FormulaInfo& info = info_of(index_of<RegisterGranularity>());
  std::vector<RuleInputs> registers;
  for (int i = 1; i < 256; ++i) registers.push_back({i, 1, 0});
  FormulaSearch search(info, ~0u, {"(registers * 32 + 255) / 256 * 256"}, registers);
  std::set<std::vector<int>> columns;
  for (int size = 1; size <= 3; ++size) {
    for (const FormulaSearch::Found& found : all_of_next_size(search))
      columns.insert(values(found));
  }
  std::vector<int> in_384s;
  for (int i = 1; i < 256; ++i) in_384s.push_back((i * 32 + 383) / 384 * 384);
  EXPECT_TRUE(columns.contains(in_384s));
}

/// Names that could leave the range of numbers have bounds in a product.
TEST(FormulaSearch, TriesProductsInConditionsAlsoBesideAKnownRule) {
  const FormulaInfo& info = info_of(index_of<Queue>());
  const std::string known = "w < head_warps";
  const std::vector<RuleInputs> inputs = some_inputs(info, 60);
  FormulaSearch search(info, ~0u, {known}, inputs);
  std::set<std::vector<int>> columns;
  for (int size = 1; size <= 4; ++size) {
    for (const FormulaSearch::Found& found : all_of_next_size(search)) {
      if (formula_of(info, found.text)) columns.insert(values(found));
    }
  }
  for (const std::string& text :
       {std::string("min(left, 16384) * w <= head_warps * 2"),
        std::string("min(left, 16384) * w < min(head_left, 16384) * head_warps"),
        known + " and min(left, 16384) * w >= 400", known + " or head_left + left < 12"}) {
    const Formula formula = parse_formula(info, text);
    std::vector<int> column;
    for (const RuleInputs& of : inputs) {
      column.push_back(Evaluation<int, bool>(formula, of).condition() ? 1 : 0);
    }
    EXPECT_TRUE(columns.contains(column)) << text;
  }
}

/// Free intervals that would hold two such blocks come first; of these the last.
TEST(FormulaSearch, TriesWhatComesFirstBeforeTheKnownOrderAndItsReverse) {
  const FormulaInfo& info = info_of(index_of<SharedPlacement>());
  std::vector<RuleInputs> intervals;
  std::vector<std::pair<int, int>> keys;
  for (const auto& [start, length] : {std::pair{0, 30}, {40, 12}, {60, 25}, {90, 19}, {110, 22}}) {
    intervals.push_back({start, length, 10, 128, 4, 32});
    keys.emplace_back(length >= 20 ? 0 : 1, -start);
  }
  std::vector<int> places;
  for (const auto& key : keys) {
    places.push_back(static_cast<int>(
        std::ranges::count_if(keys, [&](const auto& other) { return other < key; })));
  }
  FormulaSearch search(info, ~0u, {"start"}, intervals);
  std::set<std::vector<int>> orders;
  for (int size = 1; size <= 4; ++size) {
    for (const FormulaSearch::Found& found : all_of_next_size(search)) orders.insert(values(found));
  }
  EXPECT_TRUE(orders.contains(places));
}

}  // namespace
}  // namespace cuvier
