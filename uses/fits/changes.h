#pragma once

#include <vector>

#include "uses/fits/fits.h"

namespace cuvier {

/// A change of one kernel, or of the order, with which every order that is left places all blocks
/// under the hypotheses.
struct Change {
  enum class Of {
    blocks,
    threads,
    registers,
    shared,     ///< bytes per block
    packing,    ///< so many blocks, each with its share of threads and bytes, are one
    carve_out,  ///< all kernels prefer the largest
    order,      ///< `later` arrives once all blocks of `kernel` are resident
    orders,     ///< kernels arrive as in `sequence`, each once the one before is resident
  };

  Of of = Of::blocks;
  int kernel = 0;
  int from = 0;
  int to = 0;                   ///< the largest that does; of a packing: how many blocks become one
  bool with_carve_out = false;  ///< and all kernels prefer the largest
  int later = 0;
  std::vector<int> sequence{};
};

/// The smallest changes of each sort: less is taken to be never worse. `safe`: an order that places
/// all blocks, if one is known. None is looked for beyond the limits, all together. Beside others
/// they are those that every_scheduler() is proved with, and none is of the order.
std::vector<Change> changes(const Device& device, const std::vector<Hypothesis>& hypotheses,
                            const KernelSet& set, const std::optional<Order>& safe,
                            OrderLimits limits = {});

/// The changes that make an answer a safe one; none where it is one.
std::vector<Change> changes(const Device& device, const Fits& answer, const KernelSet& set,
                            const Task& task = {});

/// The kernel, packed: so many of its blocks are one. None where that is not legal.
std::optional<Kernel> packed(const Kernel& kernel, int factor, const Device& device);

}  // namespace cuvier
