#pragma once

#include <compare>
#include <functional>
#include <vector>

#include "probes/device.h"
#include "probes/probe.h"

namespace cuvier {

/// What a probe takes, the most important first.
struct ProbeSize {
  int kernels = 0;
  int actions = 0;
  int blocks = 0;     ///< of all kernels; so are the rest
  int released = 0;   ///< kernels and blocks that releases name
  int warps = 0;      ///< per block
  int registers = 0;  ///< per thread
  int shared = 0;
  int local = 0;
  int named = 0;     ///< streams, and priorities that are not 0
  int clusters = 0;  ///< what their sizes add up to

  auto operator<=>(const ProbeSize&) const = default;
};

ProbeSize size_of(const Probe& probe);

/// One change that makes a probe smaller. What is left has no kernel, if it needed that one; it is
/// legal where the probe was.
using Reduction = std::function<Probe(Probe)>;

/// All single changes, those that save most first: without some kernels that stand side by side,
/// without a release, or one of the kernels or blocks that it names; to every lower number of
/// blocks, and to every lower simple value of a resource (threads by 32, registers by 8 from 16 on,
/// shared memory by 1024 bytes, local memory by powers of two).
std::vector<Reduction> reductions_of(const Probe& probe);

/// The kernel with registers and shared memory at the next higher simple values.
Kernel rounded_up(Kernel kernel);

/// The probe without `count` kernels from `kernel` on, and what the script does to them.
Probe without_kernels(const Probe& probe, int kernel, int count = 1);

/// The probe with another number of blocks of a kernel.
Probe with_blocks(const Probe& probe, int kernel, int blocks);

/// The same question in simpler terms: kernels that are launched alone, in the order of
/// their launches, and whole warps.
Probe tidied(const Probe& probe, const Device& device);

}  // namespace cuvier
