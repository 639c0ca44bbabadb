#include <fmt/format.h>

#include "solver/proof/sm_proofs.h"

namespace cuvier {

Statement same_marks(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  Statement s("marks", fmt::format("{} and {} write down the same for each SM, whatever happens.",
                                   describe(a), describe(b)));
  const Mark::Seen<TermInt> seen{
      unknown_int("mark"),         unknown_int("chosen"),    unknown_int("gone"),
      unknown_int("placed-warps"), unknown_int("warps"),     unknown_int("blocks"),
      unknown_int("sm"),           unknown_int("most"),      unknown_int("marked"),
      TermInt(device.sms),         unknown_int("registers"), unknown_int("bytes"),
      unknown_int("priority"),     unknown_int("joined")};
  s.assume(seen.chosen >= 0 && seen.chosen <= 1);
  s.assume(seen.mark >= 0 && seen.mark <= seen.most && seen.most <= Mark::kMost);
  s.assume(seen.gone >= 0 && seen.gone <= device.max_blocks_per_sm);
  s.assume(seen.placed_warps >= seen.chosen && seen.placed_warps <= device.max_warps_per_sm);
  s.assume((seen.gone == 0) == (seen.placed_warps > 0));
  s.assume(seen.blocks >= seen.chosen && seen.blocks <= device.max_blocks_per_sm);
  s.assume(seen.warps >= seen.blocks && seen.warps <= device.max_warps_per_sm);
  s.assume(seen.sm >= 0 && seen.sm < device.sms);
  s.assume(seen.marked >= 0 && seen.marked <= device.sms);
  const auto after = [&](const Hypothesis& h) { return Mark::after<Terms>(h.get<Mark>(), seen); };
  s.claim(after(a) == after(b));
  return s;
}

}  // namespace cuvier
