#pragma once

#include "hypotheses/axes/batch_margin.h"
#include "hypotheses/formulas/evaluate.h"
#include "probes/device.h"

namespace cuvier {

/// How many picks of a large grid give out their blocks in turn. It decides which block has which
/// number, and nothing of where the picks go.
struct PairsInFlight {
  enum Value : int { one, two, drifting, drifting_from_two };
  static constexpr AxisValue values[] = {
      {"one", "a pick gives out both of its blocks before the next", "1"},
      {"two", "from a kernel's fourth pick on, two give out their blocks in turn",
       "picks >= 4 ? 2 : 1"},
      {.name = "drifting",
       .meaning = "as with one, and one pick more joins at choices that nobody controls",
       .last_resort = true,
       .several_outcomes = true},
      {.name = "drifting_from_two",
       .meaning = "as with two, and one pick more joins at choices that nobody controls",
       .last_resort = true,
       .several_outcomes = true},
  };
  static constexpr FormulaName names[] = {
      {"picks", "of the kernel, the latest among them", 1, kMostBlocks}};
  static constexpr FormulaInfo formula{names, FormulaInfo::Gives::number,
                                       "picks that can be in flight", 1, 64};
  static constexpr AxisLiteral by_number[] = {{.axis = "batch_size"}};
  static constexpr std::span<const AxisLiteral> matters[] = {BatchMargin::in_pairs, by_number};
  static constexpr AxisTitle title{Part::batches, "pairs_in_flight",
                                   "how many picks of a large grid give out blocks in turn"};

  /// How many there can be once so many picks were made, before any more came.
  static int at_first(Value value, int picks) {
    switch (value) {
      case one:
      case drifting:
        return 1;
      case two:
      case drifting_from_two:
        return picks >= 4 ? 2 : 1;
    }
    return number_by_formula<PairsInFlight, PlainIntegers>(value, {picks});
  }
  /// A pick joins others only while so many blocks have no place yet.
  static constexpr int fewest(const Device& device) { return 2 * device.sms; }
  static constexpr bool drifts(Value value) {
    return value == drifting || value == drifting_from_two;
  }
};

}  // namespace cuvier
