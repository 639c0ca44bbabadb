#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "hypotheses/axes.h"
#include "solver/proof/choice_proof.h"

namespace cuvier {
namespace {

/// What becomes of a number once a block is on its SM. Of other SMs it stays.
enum class Change { none, shrinks, grows, unknown };

Change opposite(Change change) {
  return change == Change::shrinks ? Change::grows
         : change == Change::grows ? Change::shrinks
                                   : change;
}
Change both(Change a, Change b) {
  return a == b || b == Change::none ? a : a == Change::none ? b : Change::unknown;
}

Change change_of(const Formula& formula, int at) {
  using Op = Formula::Op;
  const Formula::Node& node = formula.nodes[at];
  const auto operand = [&](int i) { return change_of(formula, node.of[i]); };
  const auto is_number = [&](int i, int least) {
    const Formula::Node& of = formula.nodes[node.of[i]];
    return of.op == Op::constant && of.value >= least;
  };
  const auto is_any_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::count(names, Selection::names[node.value].name) > 0;
  };
  switch (node.op) {
    case Op::constant:
      return Change::none;
    case Op::name:
      // Blocks of a TPC are those of its other SM, too.
      if (is_any_of({"warps", "blocks", "own", "held_registers", "held_bytes"})) {
        return Change::grows;
      }
      return is_any_of(
                 {"sm", "w", "registers", "bytes", "sms", "joined", "rank", "priority", "freed"})
                 ? Change::none
                 : Change::unknown;
    case Op::negated:
      return opposite(operand(0));
    case Op::sum:
    case Op::least:
    case Op::greatest:
      return both(operand(0), operand(1));
    case Op::difference:
      return both(operand(0), opposite(operand(1)));
    case Op::product:
      if (is_number(1, 0)) return operand(0);
      if (is_number(0, 0)) return operand(1);
      break;
    case Op::quotient:
      if (is_number(1, 1)) return operand(0);
      break;
    case Op::choice:
      if (operand(0) == Change::none) return both(operand(1), operand(2));
      break;
    default:
      break;
  }
  bool stays = node.op != Op::choice;
  for (int i = 0; i < operands_of(node.op); ++i) stays = stays && operand(i) == Change::none;
  return stays ? Change::none : Change::unknown;
}

}  // namespace

bool keys_shrink_by_formula(Selection::Value selection) {
  if (!is_formula<Selection>(selection)) return false;
  const Formula& formula = formula_of<Selection>(selection);
  return std::ranges::all_of(formula.parts, [&](int part) {
    const Change change = change_of(formula, part);
    return change == Change::none || change == Change::shrinks;
  });
}

}  // namespace cuvier
