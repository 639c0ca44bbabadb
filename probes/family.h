#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "probes/probe.h"
#include "probes/rng.h"

namespace cuvier {

class Draft;

/// A parameterised generator of probes around one theme.
struct ProbeFamily {
  std::string_view name;
  std::string_view meaning;  ///< one line: what it tells apart
  void (*add)(Draft& draft, const Device& device, Rng& rng);
  bool needs_clusters = false;  ///< asks a device without them nothing

  /// Always legal on the device.
  Probe draw(const Device& device, Rng& rng) const;
};

/// All families that ask the device something; one row each.
std::vector<ProbeFamily> probe_families(const Device& device);

/// Families that only confirm: those above look for what tells hypotheses apart.
std::vector<ProbeFamily> confirming_families(const Device& device);

/// Both.
std::vector<ProbeFamily> all_probe_families(const Device& device);

/// Each documented limit of the device, filled to the last and asked for one more: named after it.
std::vector<Probe> limit_probes(const Device& device);

/// Each number that a kernel may have of registers, of warps and of KiB of shared memory, once
/// where an SM has capacity for one block fewer; few numbers of kernels with local memory; and
/// grids that double: named after what is swept.
std::vector<Probe> sweep_probes(const Device& device);

/// A legal neighbour of the probe: one kernel's resources, one action, or the
/// number of kernels changed.
Probe mutate(const Probe& probe, const Device& device, Rng& rng);

/// The same probe, but that some kernels ask for what the one before them does or for local memory,
/// and the last warp of some blocks is not whole: families leave that to chance.
Probe with_odd_blocks(Probe probe, const Device& device, Rng& rng);

/// The probe with another kernel in that place, without releases of blocks that this one does not
/// have. None where the device does not accept it.
std::optional<Probe> with_kernel(Probe probe, int index, Kernel kernel, const Device& device);

/// Leaves blocks out that a kernel of so many does not have. False where none of those that the
/// release named is left: without any it would mean all.
bool keep_blocks_below(int blocks, Release& release);

/// The kernels in this order; those that it leaves out go, and what the script does to them.
Probe with_kernels(const Probe& probe, const std::vector<int>& order);

/// The probe's kernels that are launched, in the order of their launches.
std::vector<int> launched_in(const Probe& probe);

/// The latest kernel of its stream that is launched before it; none where it is the first there, or
/// has a stream of its own.
std::optional<int> ahead_in_stream(const Probe& probe, int kernel);

/// Whether a block of the one asks for what a block of the other does.
bool asks_the_same(const Kernel& a, const Kernel& b);

/// One probe, then everything released, then the other. Kernels are named anew.
Probe join(const Probe& first, const Probe& second);

}  // namespace cuvier
