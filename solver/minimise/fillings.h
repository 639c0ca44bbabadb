#pragma once

#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/probe.h"

namespace cuvier {

/// Room on an SM for another block of a kernel while it holds n of them and nothing else, for each
/// n at which one fits: what a choice among SMs sees of a kernel that is launched alone.
using Profile = std::vector<int>;

Profile profile_of(const Device& device, const Hypothesis& hypothesis, const Kernel& kernel);

/// A kernel, and its profiles under two hypotheses.
struct Filling {
  Kernel kernel;  ///< of one block
  Profile under_a;
  Profile under_b;
};

/// Kernels that fill SMs differently by their warps and registers, or by their shared memory; of
/// those that do alike the one that asks for least.
std::vector<Filling> fillings(const Device& device, const Hypothesis& a, const Hypothesis& b);

}  // namespace cuvier
