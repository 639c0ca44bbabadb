#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "hypotheses/axes/selection.h"
#include "hypotheses/formulas/evaluate.h"
#include "solver/invention/conditions.h"
#include "solver/invention/formula_forms.h"
#include "solver/invention/placements.h"

namespace cuvier {
namespace {

constexpr int kMostParts = 3;
constexpr int kRoundsOfSms = 4;

/// What conditions read of an SM: the names, blocks of other kernels, and what its TPC's other SM
/// holds.
std::vector<FormulaName> read_of_sms(std::uint32_t given) {
  std::vector<FormulaName> names;
  for (std::size_t name = 0; name < std::size(Selection::names); ++name) {
    if ((given >> name & 1) != 0) names.push_back(Selection::names[name]);
  }
  names.push_back({"(blocks - own)", "", 0, kMostOfAnSm});
  names.push_back({"(tpc_blocks - tpc_own)", "", 0, kMostOfAGroup});
  names.push_back({"(tpc_blocks - blocks)", "", 0, kMostOfAGroup});
  return names;
}

/// An SM that a block found.
struct FoundSm {
  Kind kind;
  std::pair<int, int> place;  ///< by the own rule, then the order
};
/// What one block found: first where it went.
using FoundSms = std::vector<FoundSm>;

std::vector<FoundSms> found_by_blocks(const std::vector<Placement>& placements,
                                      std::span<const FormulaName> names, const Formula& own) {
  const auto read = read_by(Selection::formula, names);
  std::vector<FoundSms> found;
  for (const Placement& placement : placements) {
    if (placement.chosen < 0) continue;
    FoundSms& sms = found.emplace_back();
    for (const Contender& each : placement.eligible) {
      const Evaluation<int, bool> value(own, each.choice);
      sms.push_back({read(each.choice), {value.key(), each.rank}});
    }
    std::swap(sms.front(), sms[placement.chosen]);
  }
  return found;
}

/// SMs that would come before those where blocks went, if these came first for which it holds.
Kinds wrongly_first(const std::vector<FoundSms>& found, const ConditionOnKinds& holds) {
  Kinds wrongly;
  for (const FoundSms& sms : found) {
    const bool of_chosen = holds(sms.front().kind);
    for (const FoundSm& each : sms) {
      const bool is_first = holds(each.kind);
      if (is_first != of_chosen ? is_first : each.place < sms.front().place) {
        wrongly.insert(each.kind);
      }
    }
  }
  return wrongly;
}

}  // namespace

std::vector<std::string> sms_that_come_first(const std::vector<Placement>& placements,
                                             std::uint32_t names, const std::string& own) {
  const std::vector<FormulaName> read_names = read_of_sms(names);
  const Formula order = parse_formula(Selection::formula, own);
  const std::vector<FoundSms> found = found_by_blocks(placements, read_names, order);
  Kinds first;
  Kinds others;
  for (const FoundSms& sms : found) {
    for (const FoundSm& each : sms) {
      if (!(each.place < sms.front().place)) continue;
      others.insert(each.kind);
      first.insert(sms.front().kind);
    }
  }
  const std::string rest = order.parts.size() == 1 ? own : own.substr(1, own.size() - 2);
  std::vector<std::string> formulas;
  for (int round = 0; round < kRoundsOfSms && formulas.empty() && !others.empty(); ++round) {
    Kinds wrongly;
    for (const std::string& condition :
         conditions_of_table(read_names, first, others, kMostParts)) {
      const Kinds of_one = wrongly_first(found, condition_on(read_names, condition));
      if (of_one.empty()) formulas.push_back(fmt::format("({} ? 0 : 1, {})", condition, rest));
      wrongly.insert(of_one.begin(), of_one.end());
    }
    if (wrongly.empty()) break;
    others.insert(wrongly.begin(), wrongly.end());
    std::erase_if(others, [&](const Kind& kind) { return first.contains(kind); });
  }
  std::erase_if(formulas, [](const std::string& text) {
    return !formula_in_range(Selection::formula, text);
  });
  return formulas;
}

}  // namespace cuvier
