#pragma once

#include "hypotheses/axes/demand.h"
#include "hypotheses/formulas/evaluate.h"

namespace cuvier {

/// What is written down for each SM as blocks come and leave: one number, 0 while the device is
/// idle. Formulas of other axes read it. A block that comes is an event, and so are the blocks of a
/// kernel that leave an SM together; at each all SMs are asked, so it may be state of a TPC or of
/// the device as well. No such state was ever seen, so the table names none.
struct Mark {
  enum Value : int { none };
  static constexpr AxisValue values[] = {
      {"none", "nothing is written down", "0"},
  };
  // So many that a tuple of a mark and a count can be compared.
  static constexpr int kMost = 1 << 17;
  static constexpr FormulaName names[] = {
      {"mark", "what stands there for the SM", 0, kMost},
      {"chosen", "1 where a block came to this SM; 0 where one came to another, or some left", 0,
       1},
      {"gone", "blocks that left this SM; 0 where some left another, or one came", 0, kMostOfAnSm},
      {"w", "warps of the block that came, or of each that left", 1, kMostOfAnSm},
      {"warps", "resident on the SM now", 0, kMostOfAnSm},
      {"blocks", "resident on the SM now", 0, kMostOfAnSm},
      {"sm", "the SM's index", 0, kMostSms - 1},
      {"most", "the largest mark of an SM before that", 0, kMost},
      {"marked", "SMs whose mark was not 0 before that", 0, kMostSms},
      nearby::sms,
      {"registers", "of a thread of that block", 0, kMostRegisters},
      {"bytes", "of shared memory that it asks for", 0, kMostShared},
      {"priority", "of its kernel", asked::priority.least, asked::priority.most},
      {"joined", "kernels of the probe that joined the queue before its own", 0, kMostBlocks},
      {"at", "the SM that the block came to or left, by index", 0, kMostSms - 1},
      {"more", "blocks that the SM `at` has more: 1 where one came, -3 where three left",
       -kMostOfAnSm, 1},
      {"device_blocks", "resident on all SMs now", 0, kMostBlocks},
  };
  static constexpr FormulaInfo formula{
      names, FormulaInfo::Gives::number,
      "what stands there from then on, asked of all SMs once a block has come to one of them, and "
      "once blocks have left one (those of a kernel that leave it together at once); 0 while the "
      "device is idle",
      0, kMost};
  static constexpr AxisLiteral chosen_by[] = {{"selection"}};
  static constexpr AxisLiteral let_in_by[] = {{"admission"}};
  static constexpr std::span<const AxisLiteral> matters[] = {chosen_by, let_in_by};
  static constexpr AxisTitle title{Part::marks, "mark", "what is written down for each SM"};

  template <class D>
  static typename D::Int after(Value v, const Seen<Mark, typename D::Int>& seen) {
    if (v == none) return 0;
    const typename D::Int number = evaluation_of<Mark, D>(v, seen.values).number();
    return max(min(number, typename D::Int(kMost)), typename D::Int(0));
  }
};

/// The same for those that read it.
namespace nearby {
inline constexpr FormulaName mark{
    "mark", "what is written down for the SM", 0, Mark::kMost, fleeting, said_by("mark")};
inline constexpr FormulaName marked{
    "marked", "SMs that have another mark than 0", 0, kMostSms, fleeting, said_by("mark")};
}  // namespace nearby

}  // namespace cuvier
