#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probes/probe.h"

namespace cuvier {

/// What a kernel asks for, or what is left of that when it is divided by what hardware counts in.
struct Quantity {
  std::string_view name;  ///< "registers per thread mod 8"
  int (*of)(const Kernel& kernel);
  void (*set)(Kernel& kernel, int value);  ///< and changes as little else as can be
  int Kernel::*field = nullptr;            ///< where it is a field of the kernel
  bool of_block = false;  ///< rules of one SM know it: it is about warps, registers, shared memory
  bool of_admission = of_block;  ///< the rule that lets blocks onto an SM knows it
};

/// All of them, in the order in which they are preferred where several say the same.
std::span<const Quantity> kernel_quantities();

/// Kernels of which a quantity lies within bounds; without one, all.
struct KernelClass {
  const Quantity* quantity = nullptr;
  int least = std::numeric_limits<int>::min();
  int most = std::numeric_limits<int>::max();

  bool holds(int value) const { return least <= value && value <= most; }
  bool has(const Kernel& kernel) const { return !quantity || holds(quantity->of(kernel)); }
  bool operator()(const Kernel& kernel) const { return has(kernel); }
  bool has_any(const Probe& probe) const;
  /// Which of the probe's kernels are of it.
  std::vector<bool> members(const Probe& probe) const;

  bool operator==(const KernelClass&) const = default;
};

/// "registers per thread >= 96".
std::string words(const KernelClass& kernels);

}  // namespace cuvier
