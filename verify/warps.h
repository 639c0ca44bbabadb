#pragma once

// Warps and registers on one SM: scheduler.md, 5 and 6.

#include <array>
#include <vector>

#include "verify/address_space.h"
#include "verify/device.h"
#include "verify/mechanism.h"

namespace cuvier::verify {

/// What a block's warps hold.
struct HeldWarps {
  std::vector<int> subpartitions;  ///< of each warp
  std::vector<long> registers;     ///< where each warp's are (with `contiguous`)
  int registers_each = 0;          ///< of a warp
  bool operator==(const HeldWarps&) const = default;
};

/// The warp slots and registers of an SM, and its warp pointer.
struct WarpFile {
  explicit WarpFile(const Device& device);

  std::array<int, 4> free_slots;
  std::array<AddressSpace, 4> registers;  ///< with `per_sm` the first is the SM's
  int pointer = 0;
  std::vector<HeldWarps> held;  ///< by resident blocks, as they came
  bool operator==(const WarpFile&) const = default;
};

/// The rules of the axes that are read here, on a device.
class WarpRules {
 public:
  WarpRules(const Device& device, const Mechanism& mechanism)
      : device_(&device), mechanism_(&mechanism) {}

  /// Registers that a warp of the kernel holds: r_w.
  int warp_registers(const Kernel& kernel) const;
  bool fits(const WarpFile& file, const Kernel& kernel) const;
  /// limit_w: further blocks that there is room for (warps, with `strict_warps`).
  int room(const WarpFile& file, const Kernel& kernel) const;
  /// How many blocks fit, one after another; `most` is enough.
  int several(WarpFile file, const Kernel& kernel, int most) const;
  /// A block comes; the last of `held` is what it holds. One that does not fit holds nothing.
  void place(WarpFile& file, const Kernel& kernel) const;
  /// The blocks at these places of `held` leave: ascending.
  void leave(WarpFile& file, const std::vector<int>& places) const;
  /// The device is idle.
  void device_idle(WarpFile& file) const;
  /// Registers that blocks hold.
  int held_registers(const WarpFile& file) const;
  /// The warps of a block go here where it comes next; empty where it does not fit.
  std::vector<int> routes(const WarpFile& file, const Kernel& kernel) const;

  /// The pointer of an idle SM whose latest block's last warp went to `last`, where nothing else is
  /// known.
  int pointer_after(const Kernel& kernel, int last) const {
    return mechanism_->is<"pointer_reset", "never">() ? pointer_behind(0, last, kernel) : 0;
  }
  /// Where the pointer is behind a block whose last warp went to `last`.
  int pointer_behind(int pointer, int last, const Kernel& kernel) const;

 private:
  bool per_sm() const { return mechanism_->is<"register_pool", "per_sm">(); }
  bool contiguous() const { return mechanism_->is<"register_layout", "contiguous">(); }
  long worth(const AddressSpace& space, int each) const;
  std::array<int, 4> can_take(const WarpFile& file, int registers_each) const;

  const Device* device_;
  const Mechanism* mechanism_;
};

}  // namespace cuvier::verify
