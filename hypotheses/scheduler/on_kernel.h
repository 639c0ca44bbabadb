#pragma once

#include <functional>

#include "hypotheses/axes.h"
#include "probes/probe.h"

namespace cuvier {

/// What the kernel asks for in the domain; a solver may leave it open.
template <class D>
Demand<D> demand(const Kernel& k) {
  return {k.warps(), k.registers, k.shared, k.warps(), k.blocks, k.local};
}

/// Whether the kernels ask for the same, so that no rule tells them apart.
inline bool ask_alike(const Kernel& a, const Kernel& b) {
  const auto counts = [](NameOf<ConfigOccupancy> name) { return any_reads(name); };
  return a.warps() == b.warps() && a.registers == b.registers && a.shared == b.shared &&
         (a.blocks == b.blocks || !counts("grid")) && (a.local == b.local || !counts("local"));
}

/// A kernel on a device, as rules see it: what its blocks ask of an SM, and nothing else. Both must
/// outlive it, and stay where they are.
class OnKernel {
 public:
  OnKernel(const Device& device, const Kernel& kernel) : device_(&device), kernel_(&kernel) {}

  const Device& device() const { return *device_; }
  template <class D>
  Demand<D> demand() const {
    return cuvier::demand<D>(*kernel_);
  }

  bool asks_like(const Kernel& kernel) const { return ask_alike(*kernel_, kernel); }

  bool operator==(const OnKernel&) const = default;
  std::size_t hash() const { return std::hash<const Kernel*>{}(kernel_); }

 private:
  const Device* device_;
  const Kernel* kernel_;
};

}  // namespace cuvier
