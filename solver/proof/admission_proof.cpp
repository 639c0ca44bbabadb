#include <fmt/format.h>

#include "solver/proof/sm_proofs.h"

namespace cuvier {

Statement same_admission(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  Statement s("admission",
              fmt::format("{} and {} let the same blocks onto an SM, whatever it holds.",
                          describe(a), describe(b)));
  const Demand<Terms> k = demand<Terms>(kernel_named("kernel"));
  s.assume(legal(k, device));
  auto held = unknowns_of<Admission>();
  held["w"] = k.warps;
  held["registers"] = k.registers;
  held["bytes"] = k.shared;
  held["local"] = k.local;
  held["grid"] = k.grid;
  held["sms"] = device.sms;
  s.assume(held["sm"] >= 0 && held["sm"] < device.sms);
  s.assume(held["blocks"] >= 0 && held["blocks"] < device.max_blocks_per_sm);
  s.assume(held["warps"] >= held["blocks"] && held["warps"] <= device.max_warps_per_sm);
  s.assume(held["own"] >= 0 && held["own"] <= held["blocks"]);
  s.assume(held["kernels"] >= 0 && held["kernels"] <= held["blocks"] - held["own"]);
  s.assume(held["tpc_blocks"] >= held["blocks"] && held["tpc_blocks"] <= held["device_blocks"]);
  s.assume(held["device_blocks"] >= 0 &&
           held["device_blocks"] < device.sms * device.max_blocks_per_sm);
  s.assume(held["own_on_device"] >= held["own"] && held["own_on_device"] <= held["device_blocks"]);
  s.assume(held["placed"] >= held["own_on_device"] && held["placed"] <= held["grid"]);
  s.assume(held["own_sms"] >= 0 && held["own_sms"] <= held["own_on_device"] &&
           held["own_sms"] <= device.sms);
  s.assume(held["own"] == 0 || held["own_sms"] > 0);
  s.assume(held["gpc_blocks"] >= held["blocks"] && held["gpc_blocks"] <= held["device_blocks"]);
  s.assume(held["tpc_clustered"] >= 0 && held["tpc_clustered"] <= held["tpc_blocks"]);
  s.assume(held["device_urgent"] <= held["urgent"]);
  s.assume(held["gpc_clusters"] >= 0 && held["gpc_clusters"] <= held["gpc_blocks"]);
  const auto admits = [&](const Hypothesis& h) {
    return Admission::admits<Terms, Terms>(Terms{h}, held);
  };
  s.claim(admits(a) == admits(b));
  return s;
}

}  // namespace cuvier
