#include "solver/finding/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "probes/mapped.h"

namespace cuvier {
namespace {

void set_rest(int& value, int unit, int rest) { value = value / unit * unit + rest; }

void set_cluster(Kernel& kernel, int size) {
  kernel.cluster.reset();
  if (size == 0) return;
  kernel.cluster = size;
  kernel.blocks = (kernel.blocks + size - 1) / size * size;
}

constexpr std::array kQuantities{
    Quantity{"blocks of the kernel", [](const Kernel& k) { return k.blocks; },
             [](Kernel& k, int value) { k.blocks = value; }, &Kernel::blocks},
    Quantity{"threads per block", [](const Kernel& k) { return k.threads; },
             [](Kernel& k, int value) { k.threads = value; }, &Kernel::threads},
    Quantity{"warps per block", [](const Kernel& k) { return k.warps(); },
             [](Kernel& k, int value) { k.threads = 32 * value; }, nullptr, true},
    Quantity{"registers per thread", [](const Kernel& k) { return k.registers; },
             [](Kernel& k, int value) { k.registers = value; }, &Kernel::registers, true},
    Quantity{"bytes of shared memory", [](const Kernel& k) { return k.shared; },
             [](Kernel& k, int value) { k.shared = value; }, &Kernel::shared, true},
    Quantity{"bytes of local memory", [](const Kernel& k) { return k.local; },
             [](Kernel& k, int value) { k.local = value; }, &Kernel::local},
    Quantity{"levels above the default priority", [](const Kernel& k) { return -k.priority; },
             [](Kernel& k, int value) { k.priority = -value; }, nullptr, false, true},
    Quantity{"blocks in a cluster", [](const Kernel& k) { return k.cluster.value_or(0); },
             set_cluster},
    Quantity{"threads per block mod 32", [](const Kernel& k) { return k.threads % 32; },
             [](Kernel& k, int value) { set_rest(k.threads, 32, value); }},
    Quantity{"warps per block mod 4", [](const Kernel& k) { return k.warps() % 4; },
             [](Kernel& k, int value) { k.threads = 32 * (k.warps() / 4 * 4 + value); }, nullptr,
             true},
    Quantity{"registers per thread mod 8", [](const Kernel& k) { return k.registers % 8; },
             [](Kernel& k, int value) { set_rest(k.registers, 8, value); }, nullptr, true},
    Quantity{"bytes of shared memory mod 128", [](const Kernel& k) { return k.shared % 128; },
             [](Kernel& k, int value) { set_rest(k.shared, 128, value); }, nullptr, true},
    Quantity{"bytes of shared memory mod 1024", [](const Kernel& k) { return k.shared % 1024; },
             [](Kernel& k, int value) { set_rest(k.shared, 1024, value); }, nullptr, true},
};

}  // namespace

std::span<const Quantity> kernel_quantities() { return kQuantities; }

bool KernelClass::has_any(const Probe& probe) const {
  return std::ranges::any_of(probe.kernels, *this);
}

std::vector<bool> KernelClass::members(const Probe& probe) const {
  return mapped(probe.kernels, *this);
}

std::string words(const KernelClass& kernels) {
  if (!kernels.quantity) return "any kernel";
  const bool bounded_below = kernels.least > std::numeric_limits<int>::min();
  const bool bounded_above = kernels.most < std::numeric_limits<int>::max();
  if (bounded_below && bounded_above) {
    return kernels.least == kernels.most
               ? fmt::format("{} = {}", kernels.quantity->name, kernels.least)
               : fmt::format("{} from {} to {}", kernels.quantity->name, kernels.least,
                             kernels.most);
  }
  return bounded_below ? fmt::format("{} >= {}", kernels.quantity->name, kernels.least)
                       : fmt::format("{} <= {}", kernels.quantity->name, kernels.most);
}

}  // namespace cuvier
