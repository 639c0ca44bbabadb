#pragma once

// Shared memory on one SM: scheduler.md, 5 and 6.

#include <vector>

#include "verify/address_space.h"
#include "verify/device.h"
#include "verify/mechanism.h"

namespace cuvier::verify {

/// What the blocks of an SM hold.
struct SharedMemory {
  AddressSpace space;
  std::vector<AddressSpace::Interval> held;  ///< by resident blocks, as they came
  bool operator==(const SharedMemory&) const = default;
};

/// What a kernel asks for.
struct SharedNeeds {
  long bytes = 0;      ///< s
  long preferred = 0;  ///< configuration
  // What a block of the kernel asks for itself.
  int asked = 0;  ///< bytes, dynamically
  int warps = 0;
  int registers = 0;  ///< of a thread
  bool operator==(const SharedNeeds&) const = default;
};

/// The rules of the axes that are read here, on a device. `config` is the current configuration of
/// the SM's domain; `idle` where that is idle, and takes what the kernel prefers.
class SharedRules {
 public:
  static constexpr long idle = -1;
  static constexpr int no_limit = 1 << 30;

  SharedRules(const Device& device, const Mechanism& mechanism)
      : device_(&device), mechanism_(&mechanism) {}

  /// `warp_registers`: r_w of the kernel.
  SharedNeeds needs(const Kernel& kernel, int warp_registers) const;
  bool fits(const SharedMemory& memory, const SharedNeeds& needs, long config) const;
  /// limit_s.
  int room(const SharedMemory& memory, const SharedNeeds& needs, long config) const;
  /// How many blocks fit, one after another; `most` is enough.
  int several(SharedMemory memory, const SharedNeeds& needs, long config, int most) const;
  /// A block comes; the last of `held` is what it holds. One that does not fit holds nothing.
  void place(SharedMemory& memory, const SharedNeeds& needs, long config) const;
  /// The blocks at these places of `held` leave: ascending.
  void leave(SharedMemory& memory, const std::vector<int>& places) const;

 private:
  bool fragmented() const { return mechanism_->is<"shared_placement", "fragmented">(); }
  long rounded(long wanted, const Kernel& kernel) const;
  long occupancy(const Kernel& kernel, int warp_registers, long bytes) const;

  const Device* device_;
  const Mechanism* mechanism_;
};

}  // namespace cuvier::verify
