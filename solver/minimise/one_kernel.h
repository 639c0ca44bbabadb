#pragma once

#include <optional>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "probes/device.h"
#include "probes/probe.h"
#include "solver/minimise/minimise.h"

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

/// A probe of one kernel that the judge takes, of few blocks; none if none was found, or only such
/// of more blocks than `most_blocks`. Probes that launch it come first, then those that also
/// release some blocks: nothing else is as small. Kernels are looked for that fill SMs differently,
/// or so under one of the hypotheses, between which the judge is to tell.
std::optional<Probe> one_kernel(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                const Judge& judge, int most_blocks);

}  // namespace cuvier
