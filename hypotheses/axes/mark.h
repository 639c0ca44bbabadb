#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// What is written down for each SM as blocks come and leave: one number, 0 while the device is
/// idle. Formulas of other axes read it. No such state was ever seen, so the table names none.
struct Mark {
  enum Value : int { none };
  static constexpr AxisValue values[] = {
      {.name = "none", .meaning = "nothing is written down", .formula = "0"},
  };
  // So many that a tuple of a mark and a count can be compared.
  static constexpr int kMost = 1 << 17;
  // Places among the names.
  static constexpr int chosen = 1;
  static constexpr int gone = 2;
  static constexpr int placed_warps = 3;
  static constexpr int warps = 4;
  static constexpr int blocks = 5;
  static constexpr int sm = 6;
  static constexpr int sms = 9;
  static constexpr int registers = 10;
  static constexpr int bytes = 11;
  static constexpr int priority = 12;
  static constexpr int joined = 13;
  static constexpr FormulaName names[] = {
      {"mark", "what stands there for the SM", 0, kMost},
      {"chosen", "1 where a block came to this SM; 0 where one came to another, or some left", 0,
       1},
      {"gone", "blocks that have left the SM just now; 0 where a block came to any", 0,
       kMostOfAnSm},
      {"placed_warps", "warps of the block that came; 0 where blocks have left", 0, kMostOfAnSm},
      {"warps", "resident on the SM now", 0, kMostOfAnSm},
      {"blocks", "resident on the SM now", 0, kMostOfAnSm},
      {"sm", "the SM's index", 0, kMostSms - 1},
      {"most", "the largest mark of an SM before that", 0, kMost},
      {"marked", "SMs whose mark was not 0 before that", 0, kMostSms},
      nearby::sms,
      {"registers", "of a thread of the block that came; 0 where blocks have left", 0,
       kMostRegisters},
      {"bytes", "of shared memory that it asks for, likewise", 0, kMostShared},
      {"priority", "of its kernel, likewise", asked::priority.least, asked::priority.most},
      {"joined", "kernels that joined the queue before its own, likewise", 0, kMostBlocks},
  };
  /// What a formula reads, in the order of the names.
  template <class Int>
  struct Seen {
    Int mark{}, chosen{}, gone{}, placed_warps{}, warps{}, blocks{}, sm{}, most{}, marked{}, sms{};
    Int registers{}, bytes{}, priority{}, joined{};

    std::array<Int, std::size(names)> in_order() const {
      return {mark, chosen, gone, placed_warps, warps, blocks,   sm,
              most, marked, sms,  registers,    bytes, priority, joined};
    }
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::number,
      "what stands there from then on, asked of all SMs once a block has come to one of them, and "
      "of an SM once blocks have left it, all that leave together; 0 while the device is idle",
      0, kMost};
  static constexpr AxisLiteral chosen_by[] = {{"selection"}};
  static constexpr AxisLiteral let_in_by[] = {{"admission"}};
  static constexpr std::span<const AxisLiteral> matters[] = {chosen_by, let_in_by};
  static constexpr AxisInfo info{
      Part::marks, "mark", "what is written down for each SM", "", values, matters, &formula};

  template <class D>
  static typename D::Int after(Value v, const Seen<typename D::Int>& seen) {
    if (v == none) return 0;
    const auto read = seen.in_order();
    const std::span<const typename D::Int> names(read);
    return max(min(evaluation_of<Mark, D>(v, names).number(), typename D::Int(kMost)),
               typename D::Int(0));
  }
};

/// The same for those that read it.
namespace nearby {
inline constexpr FormulaName mark{.name = "mark",
                                  .meaning = "what is written down for the SM",
                                  .least = 0,
                                  .most = Mark::kMost,
                                  .from = {"mark"},
                                  .is_fleeting = true};
inline constexpr FormulaName marked{.name = "marked",
                                    .meaning = "SMs for which another mark than 0 is written down",
                                    .least = 0,
                                    .most = kMostSms,
                                    .from = {"mark"},
                                    .is_fleeting = true};
}  // namespace nearby

}  // namespace cuvier
