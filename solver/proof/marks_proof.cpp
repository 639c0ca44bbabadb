#include <fmt/format.h>

#include "solver/proof/sm_proofs.h"

namespace cuvier {

Statement same_marks(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  Statement s("marks", fmt::format("{} and {} write down the same for each SM, whatever happens.",
                                   describe(a), describe(b)));
  auto seen = unknowns_of<Mark>();
  seen["sms"] = device.sms;
  s.assume(seen["more"] >= -device.max_blocks_per_sm && seen["more"] <= 1 &&
           !(seen["more"] == TermInt(0)));
  const auto is_here = seen["sm"] == seen["at"];
  s.assume((seen["chosen"] == 1) == (is_here && seen["more"] > 0));
  s.assume(seen["gone"] == ite(is_here && seen["more"] < 0, TermInt(0) - seen["more"], TermInt(0)));
  s.assume(seen["chosen"] >= 0 && seen["chosen"] <= 1);
  s.assume(seen["mark"] >= 0 && seen["mark"] <= seen["most"] && seen["most"] <= Mark::kMost);
  s.assume(seen["w"] >= 1 && seen["w"] <= device.max_warps_per_sm);
  s.assume(seen["blocks"] >= seen["chosen"] && seen["blocks"] <= device.max_blocks_per_sm);
  s.assume(seen["warps"] >= seen["blocks"] && seen["warps"] <= device.max_warps_per_sm);
  s.assume(seen["sm"] >= 0 && seen["sm"] < device.sms);
  s.assume(seen["at"] >= 0 && seen["at"] < device.sms);
  s.assume(seen["device_blocks"] >= seen["blocks"]);
  s.assume(seen["marked"] >= 0 && seen["marked"] <= device.sms);
  const auto after = [&](const Hypothesis& h) { return Mark::after<Terms>(h.get<Mark>(), seen); };
  s.claim(after(a) == after(b));
  return s;
}

}  // namespace cuvier
