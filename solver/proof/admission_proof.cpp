#include <fmt/format.h>

#include "solver/proof/sm_proofs.h"

namespace cuvier {

Statement same_admission(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  Statement s("admission",
              fmt::format("{} and {} let the same blocks onto an SM, whatever it holds.",
                          describe(a), describe(b)));
  const Demand<Terms> k = demand<Terms>(kernel_named("kernel"));
  s.assume(legal(k, device));
  const TermInt blocks = unknown_int("blocks");
  const TermInt warps = unknown_int("warps");
  s.assume(blocks >= 0 && blocks < device.max_blocks_per_sm);
  s.assume(warps >= blocks && warps <= device.max_warps_per_sm);
  const TermInt priority = unknown_int("priority");
  const auto admits = [&](const Hypothesis& h) {
    return Admission::admits(Terms{h}, blocks, warps, priority, k);
  };
  s.claim(admits(a) == admits(b));
  return s;
}

}  // namespace cuvier
