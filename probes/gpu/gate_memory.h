#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "probes/gpu/gate.h"
#include "probes/gpu/runner_device.h"

namespace cuvier::gpu {

/// Where blocks report and gates are: host memory that the device sees, so that neither
/// direction needs a copy, which might itself wait behind a kernel. Stays until the process
/// ends: to free it is to wait for the device.
class GateMemory {
 public:
  GateMemory() = default;
  GateMemory(const GateMemory&) = delete;
  GateMemory& operator=(const GateMemory&) = delete;

  /// Room for these kernels, all gates shut, nothing reported. The device must be idle.
  void begin(const std::vector<Kernel>& kernels);

  /// A kernel's argument, but for what is not memory.
  GateArguments arguments(int kernel) const;

  /// Blocks of this kernel may report from now on.
  void watch(int kernel);

  void open(int kernel, int block);
  void open_all();
  Events poll();

 private:
  template <class T>
  struct Mapped {
    T* host = nullptr;
    T* device = nullptr;
  };

  void reserve(int blocks);
  void free();
  BlockState state_of(int kernel, int block) const;
  BlockStart start_of(int kernel, int block) const;

  int capacity_ = 0;
  int blocks_ = 0;
  Mapped<BlockRecord> records_;
  Mapped<std::uint8_t> slots_;
  Mapped<std::uint32_t> gates_;
  std::vector<int> first_;                ///< by kernel: its block 0 in the arrays
  std::vector<int> warps_;                ///< by kernel: per block
  std::vector<std::vector<int>> absent_;  ///< by kernel: launched blocks that have not started
  std::vector<std::vector<int>> inside_;  ///< by kernel: blocks that started and have not left
};

}  // namespace cuvier::gpu
